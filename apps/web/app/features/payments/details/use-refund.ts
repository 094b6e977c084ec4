import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { hasCode } from '../../../api/errors.ts'
import { REFUND_FAILED, type RefundRequest, refundPayment } from '../../../api/payments.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { revenueText } from '../../../lib/format.ts'

/** The later of what the list and the details know. */
export const latestPayment = (
  row: DashboardPayment | undefined,
  details: DashboardPayment | null | undefined,
): DashboardPayment | undefined =>
  row && details && details.updatedAt > row.updatedAt ? details : (row ?? details ?? undefined)

const RELOAD_DELAY_MS = 1000
const REFUND = ['refund'] as const

/** The text of a refusal beside the general one. A request without an answer has no certain text. */
export const refusalText = (error: Error | null): string | null =>
  hasCode(error, 'payment_not_refundable', 'refund_exceeds_remaining', 'refund_conflict', 'refund_declined')
    ? `${error.message}. Cancel, and look at the timeline before you ask again.`
    : null

/** The answer is the server's word on what is left: a payment of which something is stays completed. */
export const refundedText = ({ payment, amount }: RefundRequest, answer: DashboardPayment): string =>
  isWhole(answer)
    ? `Payment ${payment.paymentId} has been successfully refunded.`
    : `${revenueText(payment.currency, amount)} of payment ${payment.paymentId} has been successfully refunded.`

const isWhole = ({ status }: DashboardPayment): boolean => status !== 'COMPLETED'

/** @param onRefunded the money is on its way back, and the toast has said so */
export function useRefund(onRefunded: () => void) {
  const cache = useQueryClient()
  const invalidate = (queryKey: readonly unknown[]) => void cache.invalidateQueries({ queryKey })
  return useMutation({
    mutationKey: REFUND,
    // A refunded payment is known as such for as long as the dashboard is open.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: refundPayment,
    onSuccess: (answer, request) => {
      onRefunded()
      dashboardToast.success(refundedText(request, answer))
      setTimeout(() => {
        invalidate(queryKeys.payments)
        invalidate(queryKeys.paymentDetails(request.payment.paymentId))
        invalidate(queryKeys.stats)
      }, RELOAD_DELAY_MS)
    },
    onError: (_, { payment }) => {
      dashboardToast.error(REFUND_FAILED)
      // The timeline knows why.
      invalidate(queryKeys.paymentDetails(payment.paymentId))
    },
  })
}

/** Whether all of it was refunded here, whatever the list still says. */
export const useIsRefunded = ({ _id }: DashboardPayment): boolean =>
  useMutationState({
    filters: { mutationKey: REFUND, status: 'success' },
    select: ({ state }) =>
      isWhole(state.data as DashboardPayment) ? (state.variables as RefundRequest).payment._id : null,
  }).includes(_id)
