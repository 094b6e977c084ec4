import { getPaymentDetails, listPayments } from 'virtual:calls/dashboard-payments'
import * as actions from 'virtual:calls/payment-actions'
import type { Account } from '@muripo/contract/account'
import type { Application } from '@muripo/contract/applications'
import type { DashboardPayment, PaymentDetails } from '@muripo/contract/dashboard-payments'
import type { ApplicationId, PaymentId } from '@muripo/contract/ids'
import { matchesFilter } from '@muripo/contract/payment-filters'
import {
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { errorCode } from '../lib/http.ts'
import { type Filters, isFiltered } from '../lib/payment-filters.ts'
import { refetchSilently, useThrottledRefetch } from '../lib/refetch-silently.ts'
import { throttled } from '../lib/timing.ts'
import { usePaymentUpdates } from '../live/live.tsx'
import { send } from '../session/session.ts'
import { changedPaymentIn, paymentDetailsIn } from './answers.ts'
import { read, unwrap } from './api-error.ts'
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
  /** Contains the names of the applications and the account's time zone. */
  readonly cache: QueryClient
  readonly filters: Filters
  readonly cursor: PaymentId | null
  readonly limit: number
  readonly signal?: AbortSignal
}

export async function fetchPaymentsPage({
  cache,
  filters,
  cursor,
  limit,
  signal,
}: PageRequest): Promise<PaymentList> {
  const { applicationId, ...others } = filters
  const result = await send(listPayments, {
    signal,
    query: {
      ...others,
      limit,
      ...(applicationId ? { applicationId: applicationId as ApplicationId } : {}),
      ...(cursor ? { cursor } : {}),
    },
  })
  const context = {
    timeZone: cache.getQueryData<Account>(queryKeys.account)?.timeZone,
    applicationName: nameOf(cache, applicationId),
  }
  const matches = (payment: DashboardPayment) => matchesFilter(named(payment, cache), filters, context)
  return read(result, 'loadPayments', (body) => paymentListIn(body, matches))
}

/** Another host's payments have no name of their application. */
const named = (payment: DashboardPayment, cache: QueryClient): DashboardPayment => ({
  ...payment,
  applicationName: payment.applicationName || (nameOf(cache, payment.applicationId) ?? ''),
})

export const paymentListQuery = (filters: Filters) => {
  const queryKey = queryKeys.paymentList(filters)
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ client, pageParam, signal }) =>
      fetchPaymentsPage({
        cache: client,
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

/** A request that changes a payment. */
export interface ChangeRequest {
  readonly payment: DashboardPayment
}

/** Whether a payment has a state that neither its loaded details have nor the response to a request will have that is under way. */
function isUnread(cache: QueryClient, { paymentId, updatedAt }: DashboardPayment): boolean {
  const known = cache.getQueryData<PaymentDetails | null>(queryKeys.paymentDetails(paymentId))
  const isAwaited = cache.isMutating({
    mutationKey: queryKeys.paymentChange,
    predicate: ({ state }) => (state.variables as ChangeRequest).payment.paymentId === paymentId,
  })
  return isAwaited === 0 && !(known && known.updatedAt >= updatedAt)
}

/** Puts the response to a change into the lists and the details. Returns false for the response of a host that sends less. */
export function applyChangedPayment(
  cache: QueryClient,
  answer: unknown,
  timeZone: string | undefined,
): boolean {
  const payment = changedPaymentIn(answer)
  if (payment === null) return false
  const queryKey = queryKeys.paymentDetails(payment.paymentId)
  // A response in transit is older.
  void cache.cancelQueries({ queryKey })
  cache.setQueryData<PaymentDetails>(queryKey, payment)
  applyPaymentUpdates(cache, [payment], timeZone)
  return true
}

/**
 * Puts created and changed payments into the loaded lists. Only the counts of filtered lists are fetched again, and only for a change that was
 * not made here.
 */
export function applyPaymentUpdates(
  cache: QueryClient,
  changed: readonly DashboardPayment[],
  timeZone: string | undefined,
): void {
  const hasUnread = changed.some((payment) => isUnread(cache, payment))
  for (const query of cache.getQueryCache().findAll({ queryKey: queryKeys.payments })) {
    const filters = filtersOf(query)
    const context = { timeZone, applicationName: nameOf(cache, filters.applicationId) }
    const apply = () =>
      cache.setQueryData<PaymentPages>(
        query.queryKey,
        (pages) =>
          pages &&
          applyUpdates(pages, changed, {
            matches: (payment, isListed) =>
              matchesFilter(payment, isListed ? { ...filters, search: '' } : filters, context),
            countsTotal: !isFiltered(filters),
          }),
      )
    apply()
    // A response in transit may be older than the update.
    if (query.state.fetchStatus !== 'fetching') continue
    void query.promise?.then(
      () => {
        apply()
        return hasUnread ? refetchCounts(cache, query) : undefined
      },
      () => undefined,
    )
  }
  if (!hasUnread) return
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
    const filters = filtersOf(query)
    if (query.state.data === undefined || !isFiltered(filters)) continue
    // The server alone knows whether a search finds a new payment by its customer or reference.
    if (filters.search) void refetchSilently(cache, { queryKey: query.queryKey, exact: true })
    else void refetchCounts(cache, query)
  }
}

/** A failure leaves the counts as they are. */
async function refetchCounts(cache: QueryClient, query: Query): Promise<void> {
  try {
    const counts = await fetchPaymentsPage({ cache, filters: filtersOf(query), cursor: null, limit: 1 })
    cache.setQueryData<PaymentPages>(query.queryKey, (pages) => pages && withCounts(pages, counts))
  } catch {
    // The next update tries again.
  }
}

/** Null when there is no such payment. */
export function usePaymentDetails(paymentId: string) {
  const queryKey = queryKeys.paymentDetails(paymentId)
  const cache = useQueryClient()
  const refetch = useThrottledRefetch(queryKey)
  usePaymentUpdates(({ payments, more }) => {
    if (more || payments.some((payment) => payment.paymentId === paymentId && isUnread(cache, payment)))
      refetch()
  })
  return useQuery({
    queryKey,
    // The dialog shows a failure in its own place.
    meta: { quiet: true },
    queryFn: async ({ signal }): Promise<PaymentDetails | null> => {
      const result = await send(getPaymentDetails, {
        params: { paymentId },
        signal,
      })
      // The server refuses a text that is too long for an id as invalid: no payment has it either.
      const code = errorCode(result)
      if (code === 'not_found' || code === 'validation_failed') return null
      return read(result, 'loadPayment', paymentDetailsIn)
    },
  })
}

export interface RefundRequest extends ChangeRequest {
  readonly amount: number
}

/** A payment of which the shop may have captured a part. */
export type Taken = Pick<DashboardPayment, 'amount'> & Partial<Pick<DashboardPayment, 'amountCaptured'>>

/** The amount that was taken from the payer: all of the payment, or the captured part. */
export const takenAmount = ({ amount, amountCaptured }: Taken): number => amountCaptured ?? amount

/** An answer that is still open (202) throws; a repeated request joins the refund that is under way. */
export async function refundPayment({ payment, amount }: RefundRequest): Promise<PaymentDetails> {
  const { paymentId, currency, amountRefunded } = payment
  // A partial refund can be repeated, so the request names the amount refunded so far: after a lost answer the second request does nothing.
  const isPartial = amount !== takenAmount(payment)
  const result = await send(actions.refundPayment, {
    body: { paymentId, amount, currency, ...(isPartial && { amountRefunded }) },
  })
  return unwrap(result, 'refundPayment')
}

/** An answer that is still open (202) is an authorised payment; the same request again joins the first one. */
export async function capturePayment(
  { paymentId, currency }: DashboardPayment,
  amount: number,
): Promise<PaymentDetails> {
  const result = await send(actions.capturePayment, {
    body: { paymentId, amount, currency },
  })
  return unwrap(result, 'capturePayment', { takesAccepted: true })
}

/** An answer that is still open is handled as for a capture. */
export async function voidPayment({ paymentId }: DashboardPayment): Promise<PaymentDetails> {
  return unwrap(await send(actions.voidPayment, { body: { paymentId } }), 'voidPayment', {
    takesAccepted: true,
  })
}

/** Looks the open attempt up at its provider now. */
export async function checkPayment({ payment: { paymentId } }: ChangeRequest): Promise<PaymentDetails> {
  return unwrap(await send(actions.checkPayment, { body: { paymentId } }), 'checkPayment')
}

/** A payment with an attempt in progress stays pending, and the result of the attempt decides. */
export async function cancelPayment({ payment: { paymentId } }: ChangeRequest): Promise<PaymentDetails> {
  return unwrap(await send(actions.cancelPayment, { body: { paymentId } }), 'cancelPayment')
}
