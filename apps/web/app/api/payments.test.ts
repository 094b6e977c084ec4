import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import { InfiniteQueryObserver, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Filters } from '../lib/payment-filters.ts'
import { isRefetchedSilently, refetchSilently } from '../lib/refetch-silently.ts'
import {
  applyChangedPayment,
  applyPaymentUpdates,
  type ChangeRequest,
  fetchPaymentsPage,
  paymentListQuery,
} from './payments.ts'
import { queryKeys } from './query-keys.ts'

const ALL = 2500
const idOf = (n: number) => PaymentId.parse(`pay_${String(n).padStart(26, '0')}`)
/** A server with this number of payments that records its requests. The newest payment has the largest number. */
const requests: URLSearchParams[] = []

function answer(address: string): Response {
  const query = new URL(address, 'http://gateway.test').searchParams
  requests.push(query)
  const newest = query.has('cursor') ? Number(query.get('cursor')?.slice(4)) - 1 : ALL
  const limit = Number(query.get('limit'))
  const payments = Array.from({ length: Math.min(limit, newest) }, (_, index) => ({
    _id: transactionOf(idOf(newest - index)),
    paymentId: idOf(newest - index),
    status: 'PENDING',
    updatedAt: '2026-11-20T09:00:00.000Z',
  }))
  const nextCursor = newest > limit ? payments.at(-1)?.paymentId : null
  return Response.json({ payments, total: ALL, matched: ALL, hasMoreMatches: false, nextCursor })
}

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', async (address: string) => answer(address))
})
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllGlobals()
})

const limits = () => requests.map((query) => query.get('limit'))

/** The list on the screen. */
function openList(cache: QueryClient, filters: Filters = {}) {
  const observer = new InfiniteQueryObserver(cache, { ...paymentListQuery(filters), retry: false })
  stops.push(observer.subscribe(() => {}))
  const rows = () => observer.getCurrentResult().data?.pages.flatMap(({ payments }) => payments) ?? []
  const loaded = (count: number) => expect.poll(() => rows().length).toBe(count)
  return { observer, rows, loaded }
}

describe('the list of payments', () => {
  test('[CALLS-41] is a GET of /v1/payments/all without a body', async () => {
    const fetched = vi.fn(async (_address: string, _init: RequestInit) => Response.json([]))
    vi.stubGlobal('fetch', fetched)
    const { observer } = openList(new QueryClient())
    await expect
      .poll(() => observer.getCurrentResult().data?.pages)
      .toMatchObject([{ payments: [], total: 0 }])
    const [[address, init] = []] = fetched.mock.calls
    expect(address).toBe('/v1/payments/all?limit=100')
    expect(init?.method).toBe('GET')
    expect(init?.body).toBeUndefined()
  })

  test('is requested with the filters, and from the end of the last page', async () => {
    await fetchPaymentsPage({
      cache: new QueryClient(),
      filters: { status: 'failed', search: 'x' },
      cursor: idOf(300),
      limit: 100,
    })
    expect(Object.fromEntries(requests[0] ?? [])).toEqual({
      status: 'failed',
      search: 'x',
      limit: '100',
      cursor: idOf(300),
    })
  })

  test('is one page at first', async () => {
    const { rows, loaded } = openList(new QueryClient())
    await loaded(100)
    expect(rows().at(-1)?.paymentId).toBe(idOf(ALL - 99))
    expect(limits()).toEqual(['100'])
  })

  test('is refetched to its loaded length, in few requests', async () => {
    const { observer, rows, loaded } = openList(new QueryClient())
    await loaded(100)
    for (let pages = 2; pages <= 17; pages += 1) await observer.fetchNextPage()
    await loaded(1700)
    const before = rows()
    requests.length = 0
    await observer.refetch()
    expect(rows()).toEqual(before)
    expect(rows()[1699]).toBe(before[1699])
    expect(limits()).toEqual(['1000', '700'])
  })

  test('keeps updates that arrived during the request', async () => {
    const cache = new QueryClient()
    const { observer, rows, loaded } = openList(cache)
    await loaded(100)
    const [newest] = rows() as [DashboardPayment]
    const paid = { ...newest, status: 'COMPLETED' as const, updatedAt: '2026-11-20T09:05:00.000Z' }
    const created = { ...newest, _id: transactionOf(idOf(ALL + 1)), paymentId: idOf(ALL + 1) }
    const refetched = observer.refetch()
    applyPaymentUpdates(cache, [paid, created], undefined)
    await refetched
    await loaded(101)
    expect(rows()[0]).toEqual(created)
    expect(rows()[1]).toEqual(paid)
  })

  test.each([
    ['the words of the server', '{"message":"We are closed"}', 'We are closed'],
    ['our own when it has none', '<h1>Bad Gateway</h1>', 'Failed to load payments'],
  ])('[ERR-36] that fails gives %s', async (_what, body, words) => {
    vi.stubGlobal('fetch', async () => new Response(body, { status: 502 }))
    const { observer } = openList(new QueryClient())
    await expect.poll(() => observer.getCurrentResult().error?.message).toBe(words)
  })
})

describe('live updates', () => {
  afterEach(() => vi.useRealTimers())
  const at = '2026-11-20T09:05:00.000Z'

  test('put new payments at the top of the whole list, without a request', async () => {
    const cache = new QueryClient()
    const { observer, rows, loaded } = openList(cache)
    await loaded(100)
    requests.length = 0
    const [newest] = rows() as [DashboardPayment]
    const created = { ...newest, _id: transactionOf(idOf(ALL + 1)), paymentId: idOf(ALL + 1), updatedAt: at }
    applyPaymentUpdates(cache, [created, { ...newest, status: 'COMPLETED', updatedAt: at }], undefined)
    await loaded(101)
    expect(rows()[0]).toEqual(created)
    expect(rows()[1]?.status).toBe('COMPLETED')
    expect(observer.getCurrentResult().data?.pages[0]).toMatchObject({ total: ALL + 1, matched: ALL + 1 })
    expect(limits()).toEqual([])
  })

  test('of a filtered list refetch only its counts, at once and then at most every two seconds', async () => {
    const cache = new QueryClient()
    const { rows, loaded } = openList(cache, { status: 'pending' })
    await loaded(100)
    requests.length = 0
    vi.useFakeTimers()
    const [newest, second] = rows() as [DashboardPayment, DashboardPayment]
    applyPaymentUpdates(cache, [{ ...newest, status: 'COMPLETED', updatedAt: at }], undefined)
    await vi.advanceTimersByTimeAsync(10)
    expect(rows()[0]).toEqual(second)
    for (let n = 1; n < 40; n += 1) {
      const created = {
        ...newest,
        _id: transactionOf(idOf(ALL + n)),
        paymentId: idOf(ALL + n),
        updatedAt: at,
      }
      applyPaymentUpdates(cache, [created], undefined)
    }
    await vi.advanceTimersByTimeAsync(1900)
    expect(rows()).toHaveLength(138)
    expect(limits()).toEqual(['1'])
    await vi.advanceTimersByTimeAsync(200)
    expect(limits()).toEqual(['1', '1'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(limits()).toEqual(['1', '1'])
  })

  test.each(['before', 'after'])(
    'of a change that was made here refetch nothing: the response arrives %s the update',
    async (order) => {
      const cache = new QueryClient()
      const { rows, loaded } = openList(cache, { status: 'pending' })
      await loaded(100)
      requests.length = 0
      const [newest] = rows() as [DashboardPayment]
      const changed = { ...newest, purposeDescription: 'Basket', updatedAt: at }
      const response = Promise.withResolvers<unknown>()
      const change = cache
        .getMutationCache()
        .build(cache, {
          mutationKey: queryKeys.paymentChange,
          mutationFn: (_: ChangeRequest) => response.promise,
          onSuccess: (answer) => expect(applyChangedPayment(cache, answer, undefined)).toBe(true),
        })
        .execute({ payment: newest })
      const respond = () => {
        response.resolve({ ...changed, timeline: [{ at, kind: 'cancel_requested' }] })
        return change
      }
      if (order === 'before') await respond()
      applyPaymentUpdates(cache, [changed], undefined)
      await respond()
      expect(rows()[0]).toMatchObject({ purposeDescription: 'Basket' })
      expect(cache.getQueryData(queryKeys.paymentDetails(newest.paymentId))).toMatchObject({
        timeline: [{ kind: 'cancel_requested' }],
      })
      expect(limits()).toEqual([])
      applyPaymentUpdates(cache, [{ ...changed, updatedAt: '2026-11-20T09:06:00.000Z' }], undefined)
      expect(limits()).toEqual(['1'])
    },
  )

  test('the response of a host that sends no timeline is not taken', () => {
    const cache = new QueryClient()
    expect(applyChangedPayment(cache, { paymentId: idOf(1), status: 'REFUNDED' }, undefined)).toBe(false)
    expect(cache.getQueryData(queryKeys.paymentDetails(idOf(1)))).toBeUndefined()
  })

  test('without named payments refetch the list silently, also after a failure', async () => {
    const cache = new QueryClient()
    const { observer, loaded } = openList(cache)
    await loaded(100)
    const query = cache.getQueryCache().find({ queryKey: queryKeys.paymentList({}) }) as Query
    expect(isRefetchedSilently(query)).toBe(false)
    const refetched = refetchSilently(cache, { queryKey: queryKeys.payments })
    await Promise.resolve()
    expect([isRefetchedSilently(query), query.state.fetchStatus]).toEqual([true, 'fetching'])
    await refetched
    expect(query.state.fetchStatus).toBe('idle')
    vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
    await refetchSilently(cache, { queryKey: queryKeys.payments })
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', error: null })
  })

  test('in progress are replaced by a refresh of the user, whose failure is shown', async () => {
    const shown: unknown[] = []
    const onError = (_: unknown, query: unknown) => shown.push(isRefetchedSilently(query as Query))
    const cache = new QueryClient({ queryCache: new QueryCache({ onError }) })
    const { observer, loaded } = openList(cache)
    await loaded(100)
    vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
    const silent = refetchSilently(cache, { queryKey: queryKeys.payments })
    await Promise.resolve()
    const { status } = await observer.refetch()
    await silent
    expect([status, observer.getCurrentResult().status, shown]).toEqual(['error', 'error', [false]])
  })
})
