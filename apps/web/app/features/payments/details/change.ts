import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { applyChangedPayment, type ChangeRequest } from '../../../api/payments.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTimeZone } from '../../../lib/use-formats.ts'

interface ChangeOptions<Request> {
  readonly mutationKey?: readonly string[]
  readonly call: (request: Request) => Promise<PaymentDetails>
  readonly onDone?: (answer: PaymentDetails, request: Request) => void
  readonly onFailed?: (error: Error, request: Request) => void
  /** The time after which the lists are reloaded; undefined when the payment of the response is all that changes in them. */
  readonly reloadAfterMs?: number
}

/**
 * A request that changes a payment. Its response contains the payment with its details, so that neither it nor the live update about the same
 * change causes a read.
 */
export function usePaymentChange<Request extends ChangeRequest>({
  mutationKey = queryKeys.paymentChange,
  call,
  onDone,
  onFailed,
  reloadAfterMs,
}: ChangeOptions<Request>) {
  const cache = useQueryClient()
  const timeZone = useTimeZone()
  const invalidate = (queryKey: readonly string[]) => void cache.invalidateQueries({ queryKey })
  return useMutation({
    mutationKey,
    // `useIsRefunded` reads these for as long as the dashboard is open.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: call,
    onSuccess(answer, request) {
      onDone?.(answer, request)
      const isApplied = applyChangedPayment(cache, answer, timeZone)
      const reload = () => {
        invalidate(queryKeys.stats)
        if (!isApplied || reloadAfterMs !== undefined) invalidate(queryKeys.payments)
        if (!isApplied) invalidate(queryKeys.paymentDetails(request.payment.paymentId))
      }
      if (reloadAfterMs === undefined) reload()
      else setTimeout(reload, reloadAfterMs)
    },
    onError(error, request) {
      onFailed?.(error, request)
      // The timeline contains the reason.
      invalidate(queryKeys.paymentDetails(request.payment.paymentId))
    },
  })
}
