import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { hasCode, useErrorText } from '../../api/api-error.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { cancelAtTill, type TillDetails, useTillPayment, useTillQr } from '../../api/till.ts'
import { IconAlertTriangle, IconCheck, IconClock, IconPhone, IconX } from '../../components/icons.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { font, grid, place, row, surface } from '../../components/ui/classes.ts'
import { QueryError } from '../../components/ui/empty-state.tsx'
import { QrCode } from '../../components/ui/qr-code.tsx'
import { plainAmount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { withElements } from '../../lib/sentence.tsx'
import { serverNow } from '../../lib/timing.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { Frame } from './frame.tsx'
import { numberText, stateOf, toneOf, wordOf } from './state.ts'
import { useTillText } from './text.ts'
import styles from './till.module.css'
import { groupedNumber } from './typing.ts'

type FrameParts = Pick<ComponentProps<typeof Frame>, 'counter' | 'end' | 'aside'>

interface PaymentStepProps extends FrameParts {
  readonly paymentId: string
  /** The number that was asked from this page. */
  readonly number: string | undefined
  readonly onNext: () => void
}

/** A payment while its customer pays, and how it ended. */
export function PaymentStep({ paymentId, number, onNext, ...frame }: PaymentStepProps) {
  const t = useTillText()
  const client = useQueryClient()
  const query = useTillPayment(paymentId)
  const { data: payment, error } = query
  const version = payment && `${payment.status} ${payment.statusReason} ${payment.attempts}`
  useEffect(() => {
    if (version !== undefined) void client.invalidateQueries({ queryKey: queryKeys.tillToday })
  }, [client, version])
  if (payment === undefined)
    return (
      <Frame title={t('tillWaiting')} {...frame}>
        <div className={`${styles.upper} ${grid('gap12')}`}>
          {hasCode(error, 'not_found') ? (
            <p className={font('centred')}>{t('tillNotShown')}</p>
          ) : error ? (
            <QueryError query={query} />
          ) : (
            <PageSpinner isPart />
          )}
        </div>
        <NextCustomer onNext={onNext} />
      </Frame>
    )
  const state = stateOf(payment)
  const isQr =
    state === 'waiting' && payment.openAttempt === null && payment.attempts === 0 && !payment.isCancelled
  return (
    <Frame title={wordOf(state, t)} {...frame}>
      <div className={`${styles.upper} ${grid('gap12')} ${font('centred')}`} role="status">
        {isQr ? <Qr payment={payment} /> : <Result payment={payment} number={number} />}
      </div>
      <Foot payment={payment} isQr={isQr} onNext={onNext} />
    </Frame>
  )
}

const icons = {
  paid: IconCheck,
  waiting: IconClock,
  checking: IconAlertTriangle,
  declined: IconX,
  cancelled: IconX,
  expired: IconClock,
  refunded: IconCheck,
} as const

function Result({ payment, number }: { readonly payment: TillDetails; readonly number: string | undefined }) {
  const t = useTillText()
  const state = stateOf(payment)
  const Icon = icons[state]
  if (state === 'waiting') return <Waiting payment={payment} number={number} />
  return (
    <>
      <span className={styles.sign} data-tone={toneOf(state)} data-paid={state === 'paid' || undefined}>
        <Icon size={40} stroke={1.75} aria-hidden />
      </span>
      <p className={`${styles.word} ${font('xl', 'bold')}`} data-tone={toneOf(state)}>
        {wordOf(state, t)}
      </p>
      <Price payment={payment} />
      <p className={font('quiet', 'pretty')}>
        <Explained payment={payment} />
      </p>
    </>
  )
}

function Explained({ payment }: { readonly payment: TillDetails }) {
  const t = useTillText()
  const { clockText, methodLabel } = useFormats()
  const state = stateOf(payment)
  if (state === 'declined') return t('tillReason', { reason: payment.statusReason ?? 'declined' })
  if (state === 'checking') return t('tillCheckingHint')
  if (state === 'cancelled' || state === 'expired') return t('tillNothingCharged')
  const at = clockText(payment.completedAt ?? payment.createdAt)
  const by = payment.method && methodLabel(payment.method)
  return [by, numberText(payment), at].filter(Boolean).join(', ')
}

const Price = ({ payment: { currency, amount } }: { readonly payment: TillDetails }) => (
  <p className={`${styles.price} ${font('display', 'bold', 'tight', 'numbers')}`}>
    <span className={font('lg', 'medium', 'quiet')}>{currency}</span>&nbsp;{plainAmount(amount)}
  </p>
)

/** The present time, each second. */
function useSeconds(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const minutesText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function Waiting({
  payment,
  number,
}: {
  readonly payment: TillDetails
  readonly number: string | undefined
}) {
  const t = useTillText()
  const now = useSeconds()
  const { clockText, methodLabel } = useFormats()
  const { openAttempt, isCancelled } = payment
  const method = methodLabel(openAttempt?.method ?? payment.method)
  const phone = number === undefined ? (openAttempt?.phone ?? numberText(payment)) : groupedNumber(number)
  const isSilent = openAttempt !== null && Date.parse(openAttempt.silentAt) <= now
  const again = openAttempt === null || openAttempt.isLast ? null : openAttempt.closesAt
  const sentence = (): ReactNode => {
    if (isCancelled) return t('tillStopped')
    if (!isSilent) return t('tillPinHint', { method })
    const from =
      again === null || Date.parse(again) <= now ? '' : ` ${t('tillAskFrom', { time: clockText(again) })}`
    return t('tillSilentHint', { method }) + from
  }
  return (
    <>
      <span className={styles.sign} data-tone="yellow" aria-hidden>
        <span className={font('xl', 'semibold', 'numbers')}>
          {openAttempt === null ? (
            <IconClock size={40} stroke={1.75} />
          ) : (
            minutesText(now - Date.parse(openAttempt.startedAt))
          )}
        </span>
      </span>
      <Price payment={payment} />
      <p className={font('semibold')}>
        {isSilent
          ? t('tillSilent', { method })
          : phone === null
            ? t('tillWaiting')
            : t('tillAsked', { phone })}
      </p>
      <p className={font('quiet', 'pretty')}>{sentence()}</p>
    </>
  )
}

function Qr({ payment }: { readonly payment: TillDetails }) {
  const t = useTillText()
  const qr = useTillQr(payment.paymentId)
  return (
    <>
      <div className={styles.qr}>
        {qr.data ? <QrCode drawing={qr.data} label={t('tillQr')} /> : <QueryError query={qr} />}
      </div>
      <Price payment={payment} />
      <p className={font('sm', 'quiet', 'pretty')}>{t('tillScan')}</p>
    </>
  )
}

const NextCustomer = ({ onNext }: Pick<PaymentStepProps, 'onNext'>) => {
  const t = useTillText()
  return (
    <div className={`${styles.lower} ${grid('gap8')}`}>
      <Button className={styles.tall} block onClick={onNext}>
        {t('tillNextCustomer')}
      </Button>
    </div>
  )
}

interface FootProps extends Pick<PaymentStepProps, 'onNext'> {
  readonly payment: TillDetails
  readonly isQr: boolean
}

function Foot({ payment, isQr, onNext }: FootProps) {
  const t = useTillText()
  const client = useQueryClient()
  const errorText = useErrorText()
  const { paymentId, openAttempt, isCancelled } = payment
  const state = stateOf(payment)
  const cancelling = useMutation({
    mutationFn: cancelAtTill,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.tillPayment(paymentId) }),
  })
  const isOpen = payment.status === 'PENDING' && state !== 'checking'
  if (!isOpen) return <NextCustomer onNext={onNext} />
  const canAsk = openAttempt === null && !isCancelled
  return (
    <div className={`${styles.lower} ${grid('gap8')}`}>
      {cancelling.error && (
        <p className={font('sm', 'red', 'centred')} role="alert">
          {errorText(cancelling.error)}
        </p>
      )}
      {openAttempt?.dialIn && !isCancelled && (
        <p className={`${styles.dial} ${row('gap12')} ${surface('inset', 'tinted')} ${font('sm')}`}>
          <IconPhone size={20} stroke={1.75} aria-hidden />
          <span>
            {withElements((values) => t('tillDial', values), {
              code: <strong className={font('semibold', 'nowrap')}>{openAttempt.dialIn}</strong>,
            })}
          </span>
        </p>
      )}
      {canAsk && (
        <ButtonLink
          className={styles.tall}
          kind={isQr ? 'default' : 'primary'}
          block
          to={paths.tillAskAgain(paymentId)}
        >
          {t(isQr ? 'tillAskNumber' : 'tillAskAgain')}
        </ButtonLink>
      )}
      <div className={row('gap8')}>
        <Button className={`${styles.tall} ${place('grow')}`} kind="default" onClick={onNext}>
          {t('tillNextCustomer')}
        </Button>
        {!isCancelled && (
          <Button
            className={styles.tall}
            kind="danger-quiet"
            running={cancelling.isPending}
            onClick={() => cancelling.mutate(paymentId)}
          >
            {t('tillCancel')}
          </Button>
        )}
      </div>
    </div>
  )
}
