import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { hasCode, useErrorText, useFailuresText } from '../../../api/api-error.ts'
import { type ChangeRequest, capturePayment, voidPayment } from '../../../api/payments.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { amountText } from '../../../lib/format.ts'
import { type PaymentsText, usePaymentsText } from '../../../lib/payments-text.ts'
import { cents } from './amount-input.ts'
import { usePaymentChange } from './change.ts'

interface Instruction extends ChangeRequest {
  /** The amount of a capture; null for a void. */
  readonly amount: number | null
}

/** Whether the payment waits for its merchant's instruction. */
export const awaitsCapture = ({ status, statusReason }: DashboardPayment): boolean =>
  status === 'AUTHORIZED' && statusReason === 'awaiting_capture'

/** The text about the part of the authorised amount that a partial capture releases; null for a full capture. */
export function releasedText(
  captured: number | null,
  { amount, currency }: Pick<DashboardPayment, 'amount' | 'currency'>,
  t: PaymentsText,
): string | null {
  const rest = captured === null ? 0 : cents(amount) - cents(captured)
  return rest > 0 ? t('captureRest', { amount: amountText(currency, rest / 100) }) : null
}

/** While the provider has not confirmed the instruction, the payment stays authorised. */
function resultText({ payment, amount }: Instruction, answer: DashboardPayment, t: PaymentsText): string {
  const isOpen = answer.status === 'AUTHORIZED'
  const { paymentId, currency } = payment
  if (amount === null) return t(isOpen ? 'voidUnconfirmed' : 'voided', { payment: paymentId })
  if (isOpen) return t('captureUnconfirmed', { payment: paymentId })
  return t('captured', { amount: amountText(currency, amount), payment: paymentId })
}

/** @param onGiven called when the provider has received the instruction, before the toast with the result */
export function useInstruction(onGiven: () => void) {
  const failures = useFailuresText()
  const errorText = useErrorText()
  const t = usePaymentsText()
  const { mutate, reset, isPending, error, variables, data } = usePaymentChange({
    call: ({ payment, amount }: Instruction) =>
      amount === null ? voidPayment(payment) : capturePayment(payment, amount),
    onDone(answer, instruction) {
      onGiven()
      const show = answer.status === 'AUTHORIZED' ? dashboardToast.blank : dashboardToast.success
      show(resultText(instruction, answer, t))
    },
    onFailed: (_, { amount }) => dashboardToast.error(failures(failureOf(amount))),
  })
  const isMismatch = hasCode(error, 'capture_mismatch')
  const isRefused = hasCode(error, 'payment_not_capturable', 'capture_declined', 'not_permitted')
  return {
    give: mutate,
    onRetype: reset,
    running: isPending,
    /** Null before the provider's answer. */
    result: data && variables ? resultText(variables, data, t) : null,
    error: error && variables && !isMismatch ? failures(failureOf(variables.amount)) : null,
    refusal: isRefused ? t('requestRefused', { reason: errorText(error) }) : null,
    fieldError: isMismatch ? errorText(error) : null,
  }
}

const failureOf = (amount: number | null) => (amount === null ? 'voidPayment' : 'capturePayment')
