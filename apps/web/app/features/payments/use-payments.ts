import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { flattenPages, type PaymentPages } from '../../api/payment-list.ts'
import { paymentListQuery } from '../../api/payments.ts'
import type { Filters } from '../../lib/payment-filters.ts'
import { isRefetchedSilently } from '../../lib/refetch-silently.ts'

/** The next page loads automatically near the end of the list. After an error it waits for the user. */
export interface MorePayments {
  readonly loading: boolean
  readonly error: string | null
  readonly load: () => void
  readonly retry: () => void
}

/** The payments that match the filters. `shown` is the address of the payments on the screen: the previous one until the next ones load. */
export function usePayments(filters: Filters, address: string) {
  const cache = useQueryClient()
  const options = paymentListQuery(filters)
  const query = useInfiniteQuery({
    ...options,
    // The previous rows stay while a filter changes, so that nothing flickers at each key press.
    placeholderData: keepPreviousData,
  })
  const { data: pages, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage } = query
  const data = useMemo(() => pages && flattenPages(pages as PaymentPages), [pages])
  const [shown, setShown] = useState(address)
  if (data && !query.isPlaceholderData && shown !== address) setShown(address)

  const cached = cache.getQueryCache().find({ queryKey: options.queryKey, exact: true })
  const isSilent = cached !== undefined && isRefetchedSilently(cached)
  const cursor = data?.nextCursor ?? null
  const [failed, setFailed] = useState<{ readonly cursor: string | null; readonly message: string } | null>(
    null,
  )
  const error = failed !== null && failed.cursor === cursor ? failed.message : null
  const next = async () => {
    setFailed(null)
    const result = await query.fetchNextPage()
    if (result.isFetchNextPageError) setFailed({ cursor, message: result.error.message })
  }
  const list = {
    data,
    error: isFetchNextPageError ? null : query.error,
    isFetching: isFetching && !isFetchingNextPage && !isSilent,
    isPlaceholderData: query.isPlaceholderData,
    refetch: query.refetch,
  }
  const more: MorePayments = {
    loading: isFetchingNextPage,
    error,
    load: () => {
      if (hasNextPage && error === null && !isFetching) void next()
    },
    retry: () => void next(),
  }
  return { list, shown, more }
}
