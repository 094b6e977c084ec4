import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { type FormEvent, useState } from 'react'
import type { RefundRequest } from '../../../api/payments.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../text.ts'
import { type Allowed, typedAmount } from './amount-input.ts'
import styles from './details.module.css'
import {
  AmountField,
  Answers,
  QuestionModal,
  type QuestionRequest,
  useTypedAmount,
} from './question-parts.tsx'
import { confirmText, underWayText, wholeRest } from './refund.ts'

interface QuestionProps extends QuestionRequest {
  readonly payment: DashboardPayment
  readonly rest: Allowed
  readonly onConfirm: (request: RefundRequest) => void
}

export function ConfirmRefund({ opened, ...question }: QuestionProps & { readonly opened: boolean }) {
  const t = usePaymentsText()
  return (
    <QuestionModal opened={opened} title={t('confirmRefund')} {...question}>
      <Question {...question} />
    </QuestionModal>
  )
}

function Question({ payment, rest, onConfirm, ...request }: QuestionProps) {
  const { currency, paymentId } = payment
  const t = usePaymentsText()
  /** Null until the user types: the field then shows the remaining amount, also when that changes. */
  const [typed, setTyped] = useState<string | null>(null)
  /** The payment at the time of the first request: if only the response was lost, a repeated request must not refund a part twice. */
  const [submitted, setSubmitted] = useState<DashboardPayment | null>(null)
  const whole = wholeRest(rest)
  const atMost = amountText(currency, whole)
  const text = typed ?? typedAmount(whole)
  const { amount, error, field, onType, onRefuse } = useTypedAmount(text, currency, rest)

  function confirm(event: FormEvent) {
    event.preventDefault()
    if (request.running) return
    if (amount === null) return onRefuse()
    // The requested amount stays in the field, so that a repetition is the same request.
    setTyped(text)
    setSubmitted(submitted ?? payment)
    onConfirm({ payment: submitted ?? payment, amount })
  }
  return (
    <form noValidate onSubmit={confirm}>
      <p className={styles.question}>{t('areYouSure')}</p>
      <p className={styles.consequence}>
        {t('refundConsequence', {
          amount: amount === null ? '…' : amountText(currency, amount),
          payment: paymentId,
        })}
      </p>
      <AmountField
        field={field}
        text={text}
        atMost={atMost}
        error={error && t(error, { amount: atMost })}
        running={request.running}
        onChange={(next) => {
          onType()
          setTyped(next)
        }}
      />
      {rest.underWay.length > 0 && (
        <p className={styles.underWay}>{underWayText(rest.underWay, currency, t)}</p>
      )}
      <Answers {...request} isDanger runningLabel={t('refunding')}>
        {confirmText(amount, payment, t)}
      </Answers>
    </form>
  )
}
