import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useState } from 'react'
import type { RefundRequest } from '../../../api/payments.ts'
import { font } from '../../../components/ui/classes.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { type Allowed, typedAmount } from './amount-input.ts'
import {
  AmountField,
  QuestionActions,
  QuestionDialog,
  type QuestionRequest,
  useAmountForm,
} from './payment-question.tsx'
import { confirmText, largestRefund, underWayText } from './refund.ts'

interface RefundFormProps extends QuestionRequest {
  readonly payment: DashboardPayment
  readonly allowed: Allowed
  readonly onConfirm: (request: RefundRequest) => void
}

export function RefundDialog({ opened, ...question }: RefundFormProps & { readonly opened: boolean }) {
  const t = usePaymentsText()
  return (
    <QuestionDialog opened={opened} title={t('confirmRefund')} {...question}>
      <RefundForm {...question} />
    </QuestionDialog>
  )
}

function RefundForm({ payment, allowed, onConfirm, ...request }: RefundFormProps) {
  const { currency, paymentId } = payment
  const t = usePaymentsText()
  /** Null until the user types: the field then shows the remaining amount, also when that changes. */
  const [typed, setTyped] = useState<string | null>(null)
  /** The payment at the time of the first request: if only the response was lost, a repeated request must not refund a part twice. */
  const [submitted, setSubmitted] = useState<DashboardPayment | null>(null)
  const text = typed ?? typedAmount(largestRefund(allowed))
  const { amount, shownAmount, error, form, field } = useAmountForm({
    text,
    currency,
    allowed,
    running: request.running,
    onType: setTyped,
    onConfirm(amount) {
      // The requested amount stays in the field, so that a repetition is the same request.
      setTyped(text)
      setSubmitted(submitted ?? payment)
      onConfirm({ payment: submitted ?? payment, amount })
    },
  })
  const atMost = amountText(currency, largestRefund(allowed))
  return (
    <form {...form}>
      <p className={font('semibold')}>{t('areYouSure')}</p>
      <p className={font('md', 'anywhere', 'above6')}>
        {t('refundConsequence', { amount: shownAmount, payment: paymentId })}
      </p>
      <AmountField {...field} atMost={atMost} error={error && t(error, { amount: atMost })} />
      {allowed.underWay.length > 0 && (
        <p className={font('sm', 'quiet', 'above12')}>{underWayText(allowed.underWay, currency, t)}</p>
      )}
      <QuestionActions {...request} isDanger runningLabel={t('refunding')}>
        {confirmText(amount, payment, t)}
      </QuestionActions>
    </form>
  )
}
