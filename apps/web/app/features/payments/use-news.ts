import { useQueryClient } from '@tanstack/react-query'
import { useLiveNews } from '../../live/live.tsx'
import { useFollow } from '../../live/use-follow.ts'
import { mergePayments, paymentsKey } from './payments-api.ts'

/** Keeps the lists true to what happens: what is named goes to its place, and of what is not named the lists are asked. */
export function useNews(): void {
  const cache = useQueryClient()
  const follow = useFollow(paymentsKey)
  useLiveNews(({ payments, more }) => {
    if (payments.length > 0) mergePayments(cache, payments)
    // The first answer of a list may be from before, and there is nothing yet to merge into.
    const isComing = cache.isFetching({
      queryKey: paymentsKey,
      predicate: ({ state }) => state.data === undefined,
    })
    if (more || isComing > 0) follow()
  })
}
