import type { DashboardPayment, TimelineEntry } from '@muripo/contract/dashboard-payments'
import { useMutationState } from '@tanstack/react-query'
import { hasCode, useErrorText, useFailuresText } from '../../../api/api-error.ts'
import { type RefundRequest, refundPayment, type Taken, takenAmount } from '../../../api/payments.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { amountText } from '../../../lib/format.ts'
import { type PaymentsText, usePaymentsText } from '../../../lib/payments-text.ts'
import { type Allowed, cents } from './amount-input.ts'
import { usePaymentChange } from './change.ts'

type Paid = Taken &
  Pick<DashboardPayment, 'amountRefunded'> &
  Partial<Pick<DashboardPayment, 'amountReversed'>>

/** The amounts that may be refunded: the remaining amount, and each pending one. */
export function refundable(
  { amountRefunded = 0, amountReversed = 0, ...payment }: Paid,
  timeline: readonly TimelineEntry[] = [],
): Allowed {
  const underWay = timeline.flatMap((entry) =>
    entry.kind === 'refund_checking' || entry.kind === 'refund_with_operator' ? [entry.amount] : [],
  )
  const gone = [amountRefunded, amountReversed, ...underWay].reduce((sum, part) => sum + cents(part), 0)
  return { left: Math.max(0, cents(takenAmount(payment)) - gone) / 100, underWay }
}

/** The largest amount of a request: the remaining amount, or once it is zero, the pending amount. */
export const largestRefund = ({ left, underWay }: Allowed): number =>
  left > 0 ? left : Math.max(0, ...underWay)

export function underWayText(underWay: readonly number[], currency: string, t: PaymentsText): string {
  const amounts = underWay
    .map((amount) => amountText(currency, amount))
    .reduce((first, last) => t('listWithAnd', { first, last }))
  return t('refundUnderWay', { count: underWay.length, amounts })
}

/** The text of the dialog's button. It names the whole payment, or the amount of a part. */
export function confirmText(
  amount: number | null,
  payment: Taken & Pick<DashboardPayment, 'currency'>,
  t: PaymentsText,
): string {
  if (amount === null) return t('refund')
  return amount === takenAmount(payment)
    ? t('refundWhole')
    : t('refundPart', { amount: amountText(payment.currency, amount) })
}

/** The later state of the payment in the list and in the details. */
export const latestPayment = (
  row: DashboardPayment | undefined,
  details: DashboardPayment | null | undefined,
): DashboardPayment | undefined =>
  row && details && details.updatedAt > row.updatedAt ? details : (row ?? details ?? undefined)

const RELOAD_DELAY_MS = 1000
const REFUND = [...queryKeys.paymentChange, 'refund']

/** Returns the text of a refusal beside the general one. A request without an answer has no certain text. */
export function useRefusalText(): (error: Error | null) => string | null {
  const errorText = useErrorText()
  const t = usePaymentsText()
  return (error) =>
    hasCode(
      error,
      'payment_not_refundable',
      'refund_exceeds_remaining',
      'refund_conflict',
      'refund_declined',
      'not_permitted',
    )
      ? t('requestRefused', { reason: errorText(error) })
      : null
}

/** The answer decides: a payment with a remaining refundable amount stays completed. */
export function refundedText(
  { payment: { paymentId, currency }, amount }: RefundRequest,
  answer: DashboardPayment,
  t: PaymentsText,
): string {
  if (isWholeRefund(answer)) return t('refundedWhole', { payment: paymentId })
  return t('refundedPart', { amount: amountText(currency, amount), payment: paymentId })
}

const isWholeRefund = ({ status }: DashboardPayment): boolean => status !== 'COMPLETED'

/** @param onRefunded called when the refund is accepted, before the toast */
export function useRefund(onRefunded: () => void) {
  const failures = useFailuresText()
  const t = usePaymentsText()
  return usePaymentChange({
    mutationKey: REFUND,
    call: refundPayment,
    reloadAfterMs: RELOAD_DELAY_MS,
    onDone(answer, request) {
      onRefunded()
      dashboardToast.success(refundedText(request, answer, t))
    },
    onFailed: () => dashboardToast.error(failures('refundPayment')),
  })
}

/** Whether the whole payment was refunded in this tab, which the list may not contain yet. */
export const useIsRefunded = ({ _id }: DashboardPayment): boolean =>
  useMutationState({
    filters: { mutationKey: REFUND, status: 'success' },
    select: ({ state }) =>
      isWholeRefund(state.data as DashboardPayment) ? (state.variables as RefundRequest).payment._id : null,
  }).includes(_id)
