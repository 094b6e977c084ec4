import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import { useEffect, useState } from 'react'
import { hasCode, useErrorText } from '../../../api/api-error.ts'
import { useMay } from '../../../api/may.ts'
import { cancelPayment, checkPayment } from '../../../api/payments.ts'
import { useErrorToast } from '../../../components/error-toast.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, notice } from '../../../components/ui/classes.ts'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { Note } from '../../../components/ui/note.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useLazyModule } from '../../../lib/lazy.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { usePaymentChange } from './change.ts'
import styles from './details.module.css'

type OpenAttempt = NonNullable<Details['openAttempt']>

/** Whether the time has passed; the component is rendered again at that moment. */
function useIsPast(time: string | null): boolean {
  const at = time === null ? Number.POSITIVE_INFINITY : Date.parse(time)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (at === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, at - Date.now()))
    return () => clearTimeout(timer)
  }, [at])
  return at <= now
}

interface PendingStateProps {
  readonly payment: DashboardPayment
  /** Undefined while they are loading. */
  readonly details: Details | undefined
}

/** Why the payment is not completed yet. */
export function PendingState({ payment, details }: PendingStateProps) {
  const text = usePendingText(payment, details)
  const attempt = details?.openAttempt ?? null
  const isSilent = useIsPast(attempt?.silentAt ?? null)
  if (attempt !== null && isSilent) return <Silence attempt={attempt} />
  return (
    <div className={font('anywhere', 'above8')} role="status">
      <p className={font('md', 'quiet', 'numbers')}>
        {text ?? <Skeleton h={14} w={280} maw="100%" my={5} />}
      </p>
    </div>
  )
}

/** Null while the details are loading. */
function usePendingText({ statusReason }: DashboardPayment, details: Details | undefined): string | null {
  const t = usePaymentsText()
  const { clockText, methodLabel } = useFormats()
  if (statusReason === 'checking' || statusReason === 'under_review')
    return t('paymentReason', { reason: statusReason })
  if (details === undefined) return null
  const { openAttempt: open, attempts, timeline } = details
  if (timeline.some(({ kind }) => kind === 'cancel_requested')) return t('cancelRequested')
  if (open === null) return t(attempts.length === 0 ? 'pendingUnopened' : 'pendingAgain')
  const values = { method: methodLabel(open.method), time: clockText(open.startedAt) }
  return open.phone === null
    ? t('pendingStarted', values)
    : t('pendingPrompt', { ...values, phone: open.phone })
}

/** The facts about an attempt whose provider does not answer, and the words for its customer. */
function Silence({ attempt }: { readonly attempt: OpenAttempt }) {
  const t = usePaymentsText()
  const { clockText, methodLabel } = useFormats()
  const hasClosed = useIsPast(attempt.closesAt)
  const method = methodLabel(attempt.method)
  const time = attempt.closesAt === null || hasClosed ? null : clockText(attempt.closesAt)
  const isPrompt = attempt.phone !== null
  const words = attempt.isLast || time === null ? 'wordsForCustomer' : 'wordsForCustomerUntil'
  const text = t(words, { method, time: time ?? '' })
  return (
    <>
      <Note>
        <b>{t('noAnswer', { method })}</b>
        <br />
        {t('noResultSince', { method, time: clockText(attempt.startedAt) })}{' '}
        {time !== null && t(attempt.isLast ? 'closesLast' : 'closesAt', { method, time })}
      </Note>
      {isPrompt && (
        <section
          className={`${styles.words} ${font('md', 'above16', 'screenOnly')}`}
          aria-labelledby="words-for-customer"
        >
          <h3 id="words-for-customer" className={font('md')}>
            {t('forCustomer')}
          </h3>
          <p>{text}</p>
          <CopyButton text={text} what="words" label={t('copyWords')} />
        </section>
      )}
    </>
  )
}

interface PendingActionsProps {
  readonly payment: DashboardPayment
  readonly details: Details | null | undefined
  /** Whether the question about the cancellation is on the screen. */
  readonly isConfirming: boolean
  readonly onConfirming: (isConfirming: boolean) => void
}

/** The buttons of a payment that can still be paid. */
export function PendingActions({ payment, details, isConfirming, onConfirming }: PendingActionsProps) {
  const t = usePaymentsText()
  const common = useCommonText()
  const { methodLabel } = useFormats()
  const check = usePaymentChange({ call: checkPayment, onFailed: useErrorToast() })
  const cancel = usePaymentChange({ call: cancelPayment, onDone: () => onConfirming(false) })
  const errorText = useErrorText()
  const { module, isLoading, load } = useLazyModule(() => import('./capture-dialogs.tsx'))
  const mayCancel = useMay('payments.manage')
  const open = details?.openAttempt ?? null
  async function openQuestion() {
    if (module ?? (await load())) onConfirming(true)
    else dashboardToast.error(common('checkConnection'))
  }
  const isRefused = hasCode(cancel.error, 'payment_not_cancellable', 'not_permitted')
  return (
    <>
      {check.isSuccess && open && (
        <p className={font('md', 'quiet', 'numbers')} role="status">
          {t('stillNoAnswer', { method: methodLabel(open.method) })}
        </p>
      )}
      {cancel.isSuccess && (
        <p className={notice('success', 'above16', 'screenOnly')} role="status">
          {t('cancelRequested')}
        </p>
      )}
      {open && (
        <Button
          running={check.isPending}
          runningLabel={t('checkingNow')}
          onClick={() => check.mutate({ payment })}
        >
          {t('checkNow')}
        </Button>
      )}
      {details?.paymentUrl && (
        <CopyButton text={details.paymentUrl} what="payment link" label={t('copyPaymentLink')} />
      )}
      <Expiry payment={payment} />
      {mayCancel &&
        details &&
        !cancel.isSuccess &&
        !details.timeline.some(({ kind }) => kind === 'cancel_requested') && (
          <Button
            kind="danger-quiet"
            className={styles.cancel}
            running={isLoading}
            onClick={() => void openQuestion()}
          >
            {t('cancelThisPayment')}
          </Button>
        )}
      {module && (
        <module.CancelDialog
          opened={isConfirming}
          payment={payment}
          openMethod={open && methodLabel(open.method)}
          running={cancel.isPending}
          error={cancel.error && !isRefused ? errorText(cancel.error) : null}
          refusal={
            cancel.error && isRefused ? t('requestRefused', { reason: errorText(cancel.error) }) : null
          }
          onConfirm={() => cancel.mutate({ payment })}
          onClose={() => {
            onConfirming(false)
            cancel.reset()
          }}
        />
      )}
    </>
  )
}

function Expiry({ payment: { expiresAt } }: { readonly payment: DashboardPayment }) {
  const t = usePaymentsText()
  const { dateText, exactText } = useFormats()
  return (
    <p className={`${styles.expiry} ${font('sm', 'quiet')}`}>
      <time dateTime={expiresAt} title={exactText(expiresAt)}>
        {t('payableUntil', { date: dateText(expiresAt) })}
      </time>
    </p>
  )
}
