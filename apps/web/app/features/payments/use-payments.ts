import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useApplicationChoices } from '../../api/applications.ts'
import { useMay } from '../../api/may.ts'
import { flattenPages, type PaymentPages } from '../../api/payment-list.ts'
import { applyPaymentUpdates, paymentListQuery } from '../../api/payments.ts'
import { startedByLoader } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Filters } from '../../lib/payment-filters.ts'
import { isRefetchedSilently, refetchSilently } from '../../lib/refetch-silently.ts'
import { throttled } from '../../lib/timing.ts'
import { useTimeZone } from '../../lib/use-formats.ts'
import { usePaymentUpdates } from '../../live/live.tsx'

/** The next page loads automatically near the end of the list. After an error it waits for the user. */
export interface MorePayments {
  readonly loading: boolean
  readonly error: Error | null
  readonly load: () => void
  readonly retry: () => void
}

/** The payments that match the filters. `shown` is the address of the payments on the screen: the previous one until the next ones load. */
export function usePayments(filters: Filters, address: string) {
  const cache = useQueryClient()
  const options = paymentListQuery(filters)
  const query = useInfiniteQuery({
    ...options,
    ...startedByLoader,
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
  const [failed, setFailed] = useState<{ readonly cursor: string | null; readonly error: Error } | null>(null)
  const error = failed !== null && failed.cursor === cursor ? failed.error : null
  const next = async () => {
    setFailed(null)
    const result = await query.fetchNextPage()
    if (result.isFetchNextPageError) setFailed({ cursor, error: result.error })
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

const REFETCH_EVERY_MS = 1500

/** Puts live updates into the loaded lists. Updates without named payments refetch the lists. */
export function usePaymentListUpdates(filters: Filters): void {
  const cache = useQueryClient()
  const timeZone = useTimeZone()
  // A filter by application means every application of that name.
  useApplicationChoices(useMay('applications.read') && filters.applicationId !== undefined)
  const [refetch] = useState(() =>
    throttled(() => void refetchSilently(cache, { queryKey: queryKeys.payments }), REFETCH_EVERY_MS),
  )
  usePaymentUpdates(({ payments, more }) => {
    if (payments.length > 0) applyPaymentUpdates(cache, payments, timeZone)
    if (more) refetch()
  })
}
