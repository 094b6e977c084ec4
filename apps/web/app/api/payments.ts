import type { Application } from '@muripo/contract/applications'
import type {
  capturePayment as captureRoute,
  DashboardPayment,
  getPaymentDetails,
  listPayments,
  PaymentDetails,
  refundPayment as refundRoute,
  voidPayment as voidRoute,
} from '@muripo/contract/dashboard-payments'
import type { ApplicationId, PaymentId } from '@muripo/contract/ids'
import { matchesFilter } from '@muripo/contract/payment-filters'
import { infiniteQueryOptions, type Query, type QueryClient, useQuery } from '@tanstack/react-query'
import { errorCode } from '../lib/http.ts'
import { type Filters, isFiltered } from '../lib/payment-filters.ts'
import { useThrottledRefetch } from '../lib/refetch-silently.ts'
import { throttled } from '../lib/timing.ts'
import { usePaymentUpdates } from '../live/live.tsx'
import { send } from '../session/session.ts'
import { unwrap } from './api-error.ts'
import {
  applyUpdates,
  FIRST_PAGE,
  nextPageStart,
  type PaymentList,
  type PaymentPages,
  pageLimit,
  paymentListIn,
  replacePages,
  withCounts,
} from './payment-list.ts'
import { queryKeys } from './query-keys.ts'

interface PageRequest {
  readonly filters: Filters
  readonly cursor: PaymentId | null
  readonly limit: number
  readonly signal?: AbortSignal
}

export async function fetchPaymentsPage({
  filters: { applicationId, ...filters },
  cursor,
  limit,
  signal,
}: PageRequest): Promise<PaymentList> {
  const result = await send<typeof listPayments>('GET', '/payments/all', {
    signal,
    query: {
      ...filters,
      limit,
      ...(applicationId ? { applicationId: applicationId as ApplicationId } : {}),
      ...(cursor ? { cursor } : {}),
    },
  })
  return paymentListIn(unwrap(result, 'loadPayments'))
}

export const paymentListQuery = (filters: Filters) => {
  const queryKey = queryKeys.paymentList(filters)
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ client, pageParam, signal }) =>
      fetchPaymentsPage({
        signal,
        filters,
        cursor: pageParam.cursor,
        limit: pageLimit(pageParam, client.getQueryData<PaymentPages>(queryKey)),
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextPageStart,
    structuralSharing: (cached, next) =>
      replacePages(cached as PaymentPages | undefined, next as PaymentPages),
  })
}

const filtersOf = ({ queryKey }: Query): Filters => queryKey[1] as Filters

/** Puts created and changed payments into the loaded lists. Only the counts of filtered lists are fetched again. */
export function applyPaymentUpdates(
  cache: QueryClient,
  changed: readonly DashboardPayment[],
  timeZone: string | undefined,
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: queryKeys.payments })) {
    const filters = filtersOf(query)
    const context = { timeZone, applicationName: nameOf(cache, filters.applicationId) }
    const apply = () =>
      cache.setQueryData<PaymentPages>(
        query.queryKey,
        (pages) =>
          pages &&
          applyUpdates(pages, changed, {
            matches: (payment) => matchesFilter(payment, filters, context),
            countsTotal: !isFiltered(filters),
          }),
      )
    apply()
    // A response in transit may be older than the update.
    if (query.state.fetchStatus !== 'fetching') continue
    void query.promise?.then(
      () => {
        apply()
        return refetchCounts(cache, query)
      },
      () => undefined,
    )
  }
  let refetchFiltered = refetchers.get(cache)
  if (!refetchFiltered) {
    refetchFiltered = throttled(() => refetchFilteredCounts(cache), COUNTS_EVERY_MS)
    refetchers.set(cache, refetchFiltered)
  }
  refetchFiltered()
}

const nameOf = (cache: QueryClient, applicationId: string | undefined): string | undefined =>
  cache.getQueryData<Application[]>(queryKeys.applications)?.find(({ _id }) => _id === applicationId)
    ?.applicationName

const COUNTS_EVERY_MS = 2000
const refetchers = new WeakMap<QueryClient, () => void>()

/** A filtered list also shows the number of all payments, and of the matches that are not loaded. */
function refetchFilteredCounts(cache: QueryClient): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: queryKeys.payments, type: 'active' })) {
    if (query.state.data !== undefined && isFiltered(filtersOf(query))) void refetchCounts(cache, query)
  }
}

/** A failure leaves the counts as they are. */
async function refetchCounts(cache: QueryClient, query: Query): Promise<void> {
  try {
    const counts = await fetchPaymentsPage({ filters: filtersOf(query), cursor: null, limit: 1 })
    cache.setQueryData<PaymentPages>(query.queryKey, (pages) => pages && withCounts(pages, counts))
  } catch {
    // The next update tries again.
  }
}

/** Null when there is no such payment. */
export function usePaymentDetails(paymentId: string) {
  const queryKey = queryKeys.paymentDetails(paymentId)
  const refetch = useThrottledRefetch(queryKey)
  usePaymentUpdates(({ payments, more }) => {
    if (more || payments.some((payment) => payment.paymentId === paymentId)) refetch()
  })
  return useQuery({
    queryKey,
    // The dialog shows a failure in its own place.
    meta: { quiet: true },
    queryFn: async ({ signal }): Promise<PaymentDetails | null> => {
      const result = await send<typeof getPaymentDetails>('GET', '/payments/:paymentId', {
        params: { paymentId },
        signal,
      })
      // The server refuses a text that is too long for an id as invalid: no payment has it either.
      const code = errorCode(result)
      if (code === 'not_found' || code === 'validation_failed') return null
      return unwrap(result, 'loadPayment')
    },
  })
}

export interface RefundRequest {
  readonly payment: DashboardPayment
  readonly amount: number
}

/** A payment of which the shop may have captured a part. */
export type Taken = Pick<DashboardPayment, 'amount'> & Partial<Pick<DashboardPayment, 'amountCaptured'>>

/** The amount that was taken from the payer: all of the payment, or the captured part. */
export const takenAmount = ({ amount, amountCaptured }: Taken): number => amountCaptured ?? amount

/** An answer that is still open (202) throws; a repeated request joins the refund that is under way. */
export async function refundPayment({ payment, amount }: RefundRequest): Promise<DashboardPayment> {
  const { paymentId, currency, amountRefunded } = payment
  // A partial refund can be repeated, so the request names the amount refunded so far: after a lost answer the second request does nothing.
  const isPartial = amount !== takenAmount(payment)
  const result = await send<typeof refundRoute>('POST', '/payments/refund', {
    body: { paymentId, amount, currency, ...(isPartial && { amountRefunded }) },
  })
  return unwrap(result, 'refundPayment')
}

/** An answer that is still open (202) is an authorised payment; the same request again joins the first one. */
export async function capturePayment(
  { paymentId, currency }: DashboardPayment,
  amount: number,
): Promise<DashboardPayment> {
  const result = await send<typeof captureRoute>('POST', '/payments/capture', {
    body: { paymentId, amount, currency },
  })
  return unwrap(result, 'capturePayment', { takesAccepted: true })
}

/** An answer that is still open is handled as for a capture. */
export async function voidPayment({ paymentId }: DashboardPayment): Promise<DashboardPayment> {
  const result = await send<typeof voidRoute>('POST', '/payments/void', { body: { paymentId } })
  return unwrap(result, 'voidPayment', { takesAccepted: true })
}
