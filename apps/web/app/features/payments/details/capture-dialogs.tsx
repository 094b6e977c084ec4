import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useState } from 'react'
import { font } from '../../../components/ui/classes.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { typedAmount } from './amount-input.ts'
import { releasedText } from './capture.ts'
import {
  AmountField,
  QuestionActions,
  QuestionDialog,
  type QuestionRequest,
  useAmountForm,
} from './payment-question.tsx'

interface QuestionProps extends QuestionRequest {
  readonly payment: DashboardPayment
  /** The server's error of the amount. */
  readonly fieldError: string | null
  /** Called when the amount changes: errors of the last request no longer apply. */
  readonly onRetype: () => void
  /** The amount of a capture; null for a void. */
  readonly onConfirm: (amount: number | null) => void
}

interface DialogProps extends QuestionProps {
  readonly opened: boolean
}

/** Asks how much of an authorised payment is captured; at first all of it. */
export function CaptureDialog({ opened, ...question }: DialogProps) {
  const t = usePaymentsText()
  return (
    <QuestionDialog opened={opened} title={t('confirmCapture')} {...question}>
      <CaptureForm {...question} />
    </QuestionDialog>
  )
}

/** Asks whether an authorised payment is voided. */
export function VoidDialog({ opened, ...question }: DialogProps) {
  const t = usePaymentsText()
  return (
    <QuestionDialog opened={opened} title={t('confirmVoid')} {...question}>
      <VoidForm {...question} />
    </QuestionDialog>
  )
}

interface CancelProps extends QuestionRequest {
  readonly opened: boolean
  readonly payment: DashboardPayment
  /** The method of the attempt in progress; null without one. */
  readonly openMethod: string | null
  readonly onConfirm: () => void
}

/** Asks whether a payment that is not paid yet is cancelled. */
export function CancelDialog({ opened, payment, openMethod, onConfirm, ...request }: CancelProps) {
  const t = usePaymentsText()
  const named = { payment: payment.paymentId, amount: amountText(payment.currency, payment.amount) }
  const consequence =
    openMethod === null
      ? t('cancelConsequence', named)
      : t('cancelConsequenceOpen', { ...named, method: openMethod })
  return (
    <QuestionDialog opened={opened} title={t('confirmCancel')} {...request}>
      <EndForm
        {...request}
        consequence={consequence}
        verb={t('cancelConfirm')}
        runningLabel={t('cancelling')}
        onConfirm={onConfirm}
      />
    </QuestionDialog>
  )
}

function CaptureForm({ payment, fieldError, onRetype, onConfirm, ...request }: QuestionProps) {
  const t = usePaymentsText()
  const { currency, paymentId } = payment
  const [text, setText] = useState(() => typedAmount(payment.amount))
  const { amount, shownAmount, error, form, field } = useAmountForm({
    text,
    currency,
    allowed: { left: payment.amount, underWay: [] },
    running: request.running,
    onType(next) {
      setText(next)
      onRetype()
    },
    onConfirm,
  })
  const atMost = amountText(currency, payment.amount)
  const problem = error === 'amountTooHigh' ? 'captureTooHigh' : error
  const released = releasedText(amount, payment, t)
  return (
    <form {...form}>
      <p className={font('md', 'anywhere', 'above6')}>
        {t('captureConsequence', { amount: shownAmount, payment: paymentId })}
      </p>
      <AmountField {...field} atMost={atMost} error={problem ? t(problem, { amount: atMost }) : fieldError} />
      {released && <p className={font('sm', 'quiet', 'above12')}>{released}</p>}
      <QuestionActions {...request} runningLabel={t('capturing')}>
        {amount === null ? t('capture') : t('captureAmount', { amount: shownAmount })}
      </QuestionActions>
    </form>
  )
}

function VoidForm({ payment, onConfirm, ...request }: QuestionProps) {
  const t = usePaymentsText()
  const amount = amountText(payment.currency, payment.amount)
  return (
    <EndForm
      {...request}
      consequence={t('voidConsequence', { payment: payment.paymentId, amount })}
      verb={t('voidConfirm')}
      runningLabel={t('voiding')}
      onConfirm={() => onConfirm(null)}
    />
  )
}

interface EndFormProps extends QuestionRequest {
  readonly consequence: string
  readonly verb: string
  readonly runningLabel: string
  readonly onConfirm: () => void
}

/** The confirmation of the end of a payment. */
function EndForm({
  consequence,
  verb,
  runningLabel,
  onConfirm,
  running,
  error,
  refusal,
  onClose,
}: EndFormProps) {
  const t = usePaymentsText()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!running) onConfirm()
      }}
    >
      <p className={font('semibold')}>{t('areYouSure')}</p>
      <p className={font('md', 'anywhere', 'above6')}>{consequence}</p>
      <QuestionActions {...{ running, error, refusal, onClose }} isDanger runningLabel={runningLabel}>
        {verb}
      </QuestionActions>
    </form>
  )
}
