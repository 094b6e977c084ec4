import type { CreatedPayment, DashboardPayment, PaymentDetails } from '@muripo/contract/dashboard-payments'
import { useEffect, useRef, useState } from 'react'
import { usePaymentDetails } from '../../../api/payments.ts'
import { IconBrandWhatsapp, IconCheck, IconClock, IconDeviceMobile } from '../../../components/icons.ts'
import { Button, ButtonLink } from '../../../components/ui/button.tsx'
import { font, grid, place, row, surface } from '../../../components/ui/classes.ts'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { DialogFoot } from '../../../components/ui/dialog.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { VisuallyHidden } from '../../../components/ui/visually-hidden.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { useDialogInAddress } from '../../../lib/dialog-in-address.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { usePaymentUpdates } from '../../../live/live.tsx'
import { latestPayment } from '../details/refund.ts'
import styles from './sheet.module.css'
import { type NewPaymentText, priceText, useNewPaymentText } from './text.ts'

interface ResultProps {
  readonly created: CreatedPayment
  readonly onClose: () => void
  /** Starts the next payment. */
  readonly onNext: () => void
}

/** The newest known state of the payment: the live updates bring it, and the details where updates were missed. */
function useNewest(created: CreatedPayment) {
  const [updated, setUpdated] = useState<DashboardPayment>(created)
  usePaymentUpdates(({ payments }) => {
    const mine = payments.find(({ paymentId }) => paymentId === created.paymentId)
    if (mine) setUpdated(mine)
  })
  const { data: details } = usePaymentDetails(created.paymentId)
  return { payment: latestPayment(updated, details) ?? updated, details }
}

/** The payment that was just created: its link for the customer, and its state as it changes. */
export function NewPaymentResult({ created, onClose, onNext }: ResultProps) {
  const { payment, details } = useNewest(created)
  const t = useNewPaymentText()
  const { methodLabel } = useFormats()
  const isPaid = payment.status === 'COMPLETED'
  const amount = priceText(payment.currency, payment.amount)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The browser would scroll the result below the sheet's head, and a phone may have scrolled the form.
    top.current?.focus({ preventScroll: true })
    top.current?.closest('dialog')?.scrollTo(0, 0)
  }, [])
  return (
    <>
      <div className={`${styles.fields} ${grid('gap24', 'grow')}`} ref={top} tabIndex={-1}>
        <VisuallyHidden role="status">
          {isPaid && t('paidAnnounced', { amount, method: methodLabel(payment.method) })}
        </VisuallyHidden>
        {isPaid ? (
          <Paid payment={payment} details={details} />
        ) : (
          <Open created={created} payment={payment} isPending={payment.status === 'PENDING'} />
        )}
      </div>
      <Foot payment={payment} onClose={onClose} onNext={onNext} />
    </>
  )
}

/** One word for the state, and its tone. */
function stateOf({ status, statusReason }: DashboardPayment, t: NewPaymentText) {
  if (status === 'PENDING') return { tone: 'yellow', word: t('waiting') } as const
  if (statusReason === 'cancelled') return { tone: 'grey', word: t('cancelled') } as const
  if (statusReason === 'expired') return { tone: 'grey', word: t('expired') } as const
  return { tone: 'red', word: t('declined') } as const
}

interface OpenProps {
  readonly created: CreatedPayment
  readonly payment: DashboardPayment
  readonly isPending: boolean
}

function Open({ created, payment, isPending }: OpenProps) {
  const t = useNewPaymentText()
  const payments = usePaymentsText()
  const { dateText, methodLabel, statusText } = useFormats()
  const { currency, amount, purposeDescription, method } = payment
  const { tone, word } = stateOf(payment, t)
  const isOther = payment.status !== 'PENDING' && payment.status !== 'FAILED'
  return (
    <>
      <div className={row('start', 'between', 'gap12')}>
        <div className={place('grow')}>
          <p className={font('quiet', 'anywhere')}>{purposeDescription}</p>
          <Price currency={currency} amount={amount} />
        </div>
        <StatusBadge tone={isOther ? 'purple' : tone}>
          {isOther ? statusText(payment.status) : word}
        </StatusBadge>
      </div>
      {isPending ? (
        <>
          <Link created={created} />
          <div className={`${styles.state} ${row('gap12')} ${surface('inset', 'tinted')}`}>
            <IconClock size={20} stroke={1.75} aria-hidden />
            <p>
              <strong className={font('semibold')} role="status">
                {method === null ? t('notChosenYet') : t('methodChosen', { method: methodLabel(method) })}
              </strong>{' '}
              {t('validUntil', { time: dateText(payment.expiresAt) })}
            </p>
          </div>
        </>
      ) : (
        !isOther && <p>{payments('entryExpiredText')}</p>
      )}
    </>
  )
}

const Price = ({ currency, amount }: Pick<DashboardPayment, 'currency' | 'amount'>) => {
  const [, figure] = priceText(currency, amount).split('\u00a0')
  return (
    <p className={`${styles.figure} ${font('title', 'bold', 'tight', 'numbers')}`}>
      <span className={font('medium', 'quiet')}>{currency}</span>&nbsp;{figure}
    </p>
  )
}

/** The ways in which the link reaches the customer. */
function Link({ created }: { readonly created: CreatedPayment }) {
  const t = useNewPaymentText()
  const payments = usePaymentsText()
  const { paymentUrl, paymentQr, applicationName, currency, amount, purposeDescription } = created
  const message = t('whatsAppText', {
    shop: applicationName,
    purpose: purposeDescription,
    amount: priceText(currency, amount),
    link: paymentUrl,
  })
  return (
    <>
      {paymentQr && (
        <figure className={`${styles.qr} ${grid('gap12')}`}>
          <svg
            viewBox={`-2 -2 ${paymentQr.size + 4} ${paymentQr.size + 4}`}
            role="img"
            aria-label={t('qrOfLink')}
            shapeRendering="crispEdges"
          >
            <path d={paymentQr.path} />
          </svg>
          <figcaption className={font('sm', 'quiet', 'centred')}>{t('scanHint')}</figcaption>
        </figure>
      )}
      <p className={`${styles.link} ${surface('inset', 'tinted')} ${font('mono', 'xs')}`}>
        <VisuallyHidden as="span">{t('paymentLink')}: </VisuallyHidden>
        <span title={paymentUrl} className={font('clip')}>
          {paymentUrl.replace(/^https?:\/\//, '')}
        </span>
      </p>
      <div className={`${styles.share} ${row('wrap', 'gap12')}`}>
        <CopyButton text={paymentUrl} what={t('paymentLink')} label={payments('copyLink')} />
        <ButtonLink
          kind="default"
          to={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noopener"
          icon={IconBrandWhatsapp}
        >
          {t('shareOnWhatsApp')}
        </ButtonLink>
        <ButtonLink
          kind="default"
          className={styles.here}
          to={paymentUrl}
          target="_blank"
          rel="noopener"
          icon={IconDeviceMobile}
        >
          {t('showOnThisPhone')}
        </ButtonLink>
      </div>
    </>
  )
}

interface PaidProps {
  readonly payment: DashboardPayment
  readonly details: PaymentDetails | null | undefined
}

function Paid({ payment, details }: PaidProps) {
  const t = useNewPaymentText()
  const { clockText, methodLabel } = useFormats()
  const method = methodLabel(payment.method)
  const phone = details?.attempts.find(({ outcome }) => outcome === 'completed')?.phone
  const time = clockText(details?.timeline.find(({ kind }) => kind === 'completed')?.at ?? payment.updatedAt)
  return (
    <>
      <div className={`${styles.paid} ${grid('gap4')} ${font('centred')}`}>
        <span className={styles.tick}>
          <IconCheck size={36} stroke={1.75} aria-hidden />
        </span>
        <p className={font('xl', 'bold')}>{t('paid')}</p>
        <Price currency={payment.currency} amount={payment.amount} />
        <p className={font('quiet')}>
          {phone ? t('paidByPhone', { method, phone, time }) : t('paidBy', { method, time })}
        </p>
      </div>
      {payment.fee !== null && payment.net !== null && (
        <Sum payment={payment} fee={payment.fee} net={payment.net} />
      )}
      <p className={font('sm', 'quiet')}>{t('receiptHint')}</p>
    </>
  )
}

function Sum({ payment, fee, net }: { payment: DashboardPayment; fee: number; net: number }) {
  const dashboard = useDashboardText()
  const payments = usePaymentsText()
  const { currency, amount } = payment
  const line = (name: string, value: string) => (
    <div className={`${row('between', 'gap16')} ${font('numbers')}`}>
      <dt className={font('quiet')}>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
  const feeText = priceText(currency, fee).replace(/\d/, '\u2212$&')
  return (
    <dl className={styles.sum}>
      {line(dashboard('amount'), priceText(currency, amount))}
      {line(payments('fee'), feeText)}
      {line(payments('youKeep'), priceText(currency, net))}
    </dl>
  )
}

function Foot({
  payment,
  onClose,
  onNext,
}: Omit<ResultProps, 'created'> & { readonly payment: DashboardPayment }) {
  const t = useNewPaymentText()
  const payments = usePaymentsText()
  const { replaceBy } = useDialogInAddress('new')
  if (payment.status === 'PENDING')
    return (
      <DialogFoot>
        <Button kind="default" onClick={onClose}>
          {t('done')}
        </Button>
        <Button kind="default" onClick={onNext}>
          {payments('newPayment')}
        </Button>
      </DialogFoot>
    )
  return (
    <DialogFoot>
      <Button onClick={onNext}>{payments('newPayment')}</Button>
      <Button kind="default" onClick={() => replaceBy('payment', payment.paymentId)}>
        {t('viewPayment')}
      </Button>
    </DialogFoot>
  )
}
