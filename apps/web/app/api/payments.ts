import type {
  DashboardPayment,
  getPaymentDetails,
  listPayments,
  PaymentDetails,
  refundPayment as refundRoute,
} from '@muripo/contract/dashboard-payments'
import type { ApplicationId, PaymentId } from '@muripo/contract/ids'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Filters, isFiltered } from '../lib/payment-filters.ts'
import { refetchSilently } from '../lib/refetch-silently.ts'
import { throttled } from '../lib/timing.ts'
import { usePaymentUpdates } from '../live/live.tsx'
import { useThrottledRefetch } from '../live/use-throttled-refetch.ts'
import { send } from '../session/session.ts'
import { errorCode, unwrap } from './errors.ts'
import { appendPage, listIn, mergeUpdates, type PaymentList } from './payment-list.ts'
import { queryKeys } from './query-keys.ts'

export const PAGE_SIZE = 100
/** A list that was scrolled far is fetched again in few steps. */
const LARGEST_PAGE = 1000

interface PageRequest {
  readonly filters: Filters
  readonly cursor: PaymentId | null
  readonly limit: number
}

export async function fetchPaymentsPage({
  filters: { applicationId, ...filters },
  cursor,
  limit,
}: PageRequest): Promise<PaymentList> {
  const result = await send<typeof listPayments>('GET', '/payments/all', {
    query: {
      ...filters,
      limit,
      ...(applicationId ? { applicationId: applicationId as ApplicationId } : {}),
      ...(cursor ? { cursor } : {}),
    },
  })
  return listIn(unwrap(result, 'Failed to load payments'))
}

/** As many payments as were loaded already, and a page of them at first. */
export async function fetchLoadedPayments(cache: QueryClient, filters: Filters): Promise<PaymentList> {
  const known = () => cache.getQueryData<PaymentList>(queryKeys.paymentList(filters))?.payments ?? []
  const wanted = Math.max(known().length, PAGE_SIZE)
  let list = await fetchPaymentsPage({ filters, cursor: null, limit: Math.min(wanted, LARGEST_PAGE) })
  while (list.nextCursor !== null && list.payments.length < wanted) {
    const cursor = list.nextCursor
    const limit = Math.min(wanted - list.payments.length, LARGEST_PAGE)
    list = appendPage(list, cursor, await fetchPaymentsPage({ filters, cursor, limit }))
  }
  // What changed while the answer was on its way is known already.
  return mergeUpdates(list, known(), !isFiltered(filters))
}

const REFETCH_EVERY_MS = 2000
const filteredOnly = ({ queryKey }: { queryKey: readonly unknown[] }) => isFiltered(queryKey[1] as Filters)
const refetchFiltered = new WeakMap<QueryClient, () => void>()

/**
 * Puts payments that were created or changed into the lists that are loaded. Whether a filter keeps them only the server can tell:
 * a filtered list is fetched again, at once and then at most every two seconds.
 */
export function mergePayments(cache: QueryClient, changed: readonly DashboardPayment[]): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: queryKeys.payments })) {
    cache.setQueryData<PaymentList>(
      query.queryKey,
      (list) => list && mergeUpdates(list, changed, !filteredOnly(query)),
    )
  }
  if (!refetchFiltered.has(cache)) {
    const refetch = () =>
      void refetchSilently(cache, { queryKey: queryKeys.payments, predicate: filteredOnly })
    refetchFiltered.set(cache, throttled(refetch, REFETCH_EVERY_MS))
  }
  refetchFiltered.get(cache)?.()
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
    queryFn: async (): Promise<PaymentDetails | null> => {
      const result = await send<typeof getPaymentDetails>('GET', '/payments/:paymentId', {
        params: { paymentId },
      })
      // The server refuses a text that is too long for an id as invalid: no payment has it either.
      const code = errorCode(result)
      if (code === 'not_found' || code === 'validation_failed') return null
      return unwrap(result, 'Failed to load the payment')
    },
  })
}

export const REFUND_FAILED = 'Failed to refund payment. Please try again later.'

export interface RefundRequest {
  readonly payment: DashboardPayment
  readonly amount: number
}

/** An answer that is still open (202) throws; a repeated request joins the refund that is under way. */
export async function refundPayment({ payment, amount }: RefundRequest): Promise<DashboardPayment> {
  const { paymentId, currency, amountRefunded } = payment
  // A partial refund can be repeated, so the request names the amount refunded so far: after a lost answer the second request does nothing.
  const isPartial = amount !== payment.amount
  const result = await send<typeof refundRoute>('POST', '/payments/refund', {
    body: { paymentId, amount, currency, ...(isPartial && { amountRefunded }) },
  })
  return unwrap(result, REFUND_FAILED)
}
