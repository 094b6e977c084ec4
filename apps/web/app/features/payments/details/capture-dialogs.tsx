import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { type FormEvent, useState } from 'react'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../text.ts'
import { typedAmount } from './amount-input.ts'
import { restText } from './capture.ts'
import styles from './details.module.css'
import {
  AmountField,
  Answers,
  QuestionModal,
  type QuestionRequest,
  useTypedAmount,
} from './question-parts.tsx'

interface QuestionProps extends QuestionRequest {
  readonly payment: DashboardPayment
  /** The server's error of the amount. */
  readonly fieldError: string | null
  /** The amount is typed anew: errors of the last request no longer apply. */
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
    <QuestionModal opened={opened} title={t('confirmCapture')} {...question}>
      <CaptureForm {...question} />
    </QuestionModal>
  )
}

/** Asks whether an authorised payment is voided. */
export function VoidDialog({ opened, ...question }: DialogProps) {
  const t = usePaymentsText()
  return (
    <QuestionModal opened={opened} title={t('confirmVoid')} {...question}>
      <VoidForm {...question} />
    </QuestionModal>
  )
}

function CaptureForm({ payment, fieldError, onRetype, onConfirm, ...request }: QuestionProps) {
  const t = usePaymentsText()
  const { currency, paymentId } = payment
  const [text, setText] = useState(() => typedAmount(payment.amount))
  const atMost = amountText(currency, payment.amount)
  const allowed = { left: payment.amount, underWay: [] }
  const { amount, error, field, onType, onRefuse } = useTypedAmount(text, currency, allowed)
  const problem = error === 'amountTooHigh' ? 'captureTooHigh' : error
  const rest = restText(amount, payment, t)

  function confirm(event: FormEvent) {
    event.preventDefault()
    if (request.running) return
    if (amount === null) return onRefuse()
    onConfirm(amount)
  }
  return (
    <form noValidate onSubmit={confirm}>
      <p className={styles.consequence}>
        {t('captureConsequence', {
          amount: amount === null ? '…' : amountText(currency, amount),
          payment: paymentId,
        })}
      </p>
      <AmountField
        field={field}
        text={text}
        atMost={atMost}
        error={problem ? t(problem, { amount: atMost }) : fieldError}
        running={request.running}
        onChange={(next) => {
          onType()
          setText(next)
          onRetype()
        }}
      />
      {rest && <p className={styles.underWay}>{rest}</p>}
      <Answers {...request} runningLabel={t('capturing')}>
        {amount === null ? t('capture') : t('captureAmount', { amount: amountText(currency, amount) })}
      </Answers>
    </form>
  )
}

function VoidForm({ payment, onConfirm, running, error, refusal, onClose }: QuestionProps) {
  const t = usePaymentsText()
  const amount = amountText(payment.currency, payment.amount)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!running) onConfirm(null)
      }}
    >
      <p className={styles.question}>{t('areYouSure')}</p>
      <p className={styles.consequence}>{t('voidConsequence', { payment: payment.paymentId, amount })}</p>
      <Answers {...{ running, error, refusal, onClose }} isDanger runningLabel={t('voiding')}>
        {t('voidConfirm')}
      </Answers>
    </form>
  )
}
