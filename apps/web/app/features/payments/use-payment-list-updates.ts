import { useQueryClient } from '@tanstack/react-query'
import { mergePayments } from '../../api/payments.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { usePaymentUpdates } from '../../live/live.tsx'
import { useThrottledRefetch } from '../../live/use-throttled-refetch.ts'

/** Merges live updates into the loaded lists. Updates without named payments refetch the lists. */
export function usePaymentListUpdates(): void {
  const cache = useQueryClient()
  const refetch = useThrottledRefetch(queryKeys.payments)
  usePaymentUpdates(({ payments, more }) => {
    if (payments.length > 0) mergePayments(cache, payments)
    // The first answer of a list may be from before, and there is nothing yet to merge into.
    const isComing = cache.isFetching({
      queryKey: queryKeys.payments,
      predicate: ({ state }) => state.data === undefined,
    })
    if (more || isComing > 0) refetch()
  })
}
