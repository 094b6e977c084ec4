import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hasCode, useErrorText, useFailuresText } from '../../../api/api-error.ts'
import { applyPaymentUpdates, capturePayment, voidPayment } from '../../../api/payments.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { amountText } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/use-formats.ts'
import { type PaymentsText, usePaymentsText } from '../text.ts'
import { cents } from './amount-input.ts'

interface Instruction {
  readonly payment: DashboardPayment
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
  const cache = useQueryClient()
  const timeZone = useTimeZone()
  const failures = useFailuresText()
  const errorText = useErrorText()
  const t = usePaymentsText()
  const { mutate, reset, isPending, error, variables, data } = useMutation({
    mutationFn: ({ payment, amount }: Instruction) =>
      amount === null ? voidPayment(payment) : capturePayment(payment, amount),
    onSuccess: (answer, instruction) => {
      onGiven()
      const show = answer.status === 'AUTHORIZED' ? dashboardToast.blank : dashboardToast.success
      show(resultText(instruction, answer, t))
      applyPaymentUpdates(cache, [answer], timeZone)
      void cache.invalidateQueries({ queryKey: queryKeys.stats })
    },
    onError: (_, { amount }) => dashboardToast.error(failures(failureOf(amount))),
    // The timeline shows the result, and the reason of a refusal.
    onSettled: (_data, _error, { payment }) =>
      void cache.invalidateQueries({ queryKey: queryKeys.paymentDetails(payment.paymentId) }),
  })
  const isMismatch = hasCode(error, 'capture_mismatch')
  const isRefused = hasCode(error, 'payment_not_capturable', 'capture_declined')
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
