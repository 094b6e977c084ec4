import type {
  DashboardPayment,
  getPaymentDetails,
  PaymentDetails,
  refundPayment,
} from '@muripo/contract/dashboard-payments'
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallError, dataOf } from '../../../api/errors.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { revenueText } from '../../../lib/format.ts'
import { useLiveNews } from '../../../live/live.tsx'
import { useFollow } from '../../../live/use-follow.ts'
import { send } from '../../../session/session.ts'
import { paymentsKey } from '../payments-api.ts'

/** Of one payment's details, or of all that are loaded. */
export const paymentDetailsKey = (paymentId?: string) =>
  paymentId === undefined ? (['payment-details'] as const) : (['payment-details', paymentId] as const)

/** Null when there is no such payment. */
export function usePaymentDetails(paymentId: string) {
  const follow = useFollow(paymentDetailsKey(paymentId))
  useLiveNews(({ payments, more }) => {
    if (more || payments.some((payment) => payment.paymentId === paymentId)) follow()
  })
  return useQuery({
    queryKey: paymentDetailsKey(paymentId),
    // The dialog says it in its own place.
    meta: { quiet: true },
    queryFn: async (): Promise<PaymentDetails | null> => {
      const result = await send<typeof getPaymentDetails>('GET', '/payments/:paymentId', {
        params: { paymentId },
      })
      // What is too long to be an id is refused as such, and is nobody's payment either.
      if (result.status === 404 || result.status === 422) return null
      return dataOf(result, 'Failed to load the payment')
    },
  })
}

/** The later of what the list and the details know. */
export const latest = (
  row: DashboardPayment | undefined,
  details: DashboardPayment | null | undefined,
): DashboardPayment | undefined =>
  row && details && details.updatedAt > row.updatedAt ? details : (row ?? details ?? undefined)

const RELOAD_DELAY_MS = 1000
const REFUSED = 409
const REFUND = ['refund'] as const
export const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

/** What a refusal says beside that. A request that nobody answered says nothing that is certain. */
export const refusalText = (error: Error | null): string | null =>
  error instanceof CallError && error.status === REFUSED
    ? `${error.message}. Cancel, and look at the timeline before you ask again.`
    : null

export interface RefundRequest {
  readonly payment: DashboardPayment
  readonly amount: number
}

/** The answer is the server's word on what is left: a payment of which something is stays completed. */
export const refundedText = ({ payment, amount }: RefundRequest, answer: DashboardPayment): string =>
  isWhole(answer)
    ? `Payment ${payment.paymentId} has been successfully refunded.`
    : `${revenueText(payment.currency, amount)} of payment ${payment.paymentId} has been successfully refunded.`

const isWhole = ({ status }: DashboardPayment): boolean => status !== 'COMPLETED'

/** An answer that is still open (202) counts as "try again later"; trying again joins the refund that is under way. */
async function refund({ payment, amount }: RefundRequest): Promise<DashboardPayment> {
  const { paymentId, currency, amountRefunded } = payment
  // A part can be given back twice, so it is said after how much: when the first answer was lost, the second request does nothing.
  const isPart = amount !== payment.amount
  const result = await send<typeof refundPayment>('POST', '/payments/refund', {
    body: { paymentId, amount, currency, ...(isPart && { amountRefunded }) },
  })
  return dataOf(result, REFUND_FAILED)
}

/** @param onRefunded the money is on its way back, and the toast has said so */
export function useRefund(onRefunded: () => void) {
  const cache = useQueryClient()
  const reload = (queryKey: readonly unknown[]) => void cache.invalidateQueries({ queryKey })
  return useMutation({
    mutationKey: REFUND,
    // A refunded payment is known as such for as long as the dashboard is open.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: refund,
    onSuccess: (answer, request) => {
      onRefunded()
      dashboardToast.success(refundedText(request, answer))
      setTimeout(() => {
        reload(paymentsKey)
        reload(paymentDetailsKey(request.payment.paymentId))
        reload(['stats'])
      }, RELOAD_DELAY_MS)
    },
    onError: (_, { payment }) => {
      dashboardToast.error(REFUND_FAILED)
      // The timeline knows why.
      reload(paymentDetailsKey(payment.paymentId))
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
