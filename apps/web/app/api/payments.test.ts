import { PaymentId } from '@muripo/contract/ids'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentList } from './payment-list.ts'
import { fetchLoadedPayments, fetchPaymentsPage } from './payments.ts'
import { queryKeys } from './query-keys.ts'

const ALL = 2500
const idOf = (n: number) => PaymentId.parse(`pay_${String(n).padStart(26, '0')}`)
/** A server with so many payments, the newest with the largest number; what it was asked for. */
const asked: URLSearchParams[] = []

function answer(address: string): Response {
  const query = new URL(address, 'http://gateway.test').searchParams
  asked.push(query)
  const newest = query.has('cursor') ? Number(query.get('cursor')?.slice(4)) - 1 : ALL
  const limit = Number(query.get('limit'))
  const payments = Array.from({ length: Math.min(limit, newest) }, (_, index) => ({
    _id: `txn_${newest - index}`,
    paymentId: idOf(newest - index),
    updatedAt: '2026-11-20T09:00:00.000Z',
  }))
  const nextCursor = newest > limit ? payments.at(-1)?.paymentId : null
  return Response.json({ payments, total: ALL, matched: ALL, hasMoreMatches: false, nextCursor })
}

beforeEach(() => {
  asked.length = 0
  vi.stubGlobal('fetch', async (address: string) => answer(address))
})
afterEach(() => vi.unstubAllGlobals())

const limits = () => asked.map((query) => query.get('limit'))

describe('asking for payments', () => {
  test('[CALLS-41] goes to /v1/payments/all, by GET and without a body', async () => {
    const fetched = vi.fn(async (_address: string, _init: RequestInit) => Response.json([]))
    vi.stubGlobal('fetch', fetched)
    expect(await fetchLoadedPayments(new QueryClient(), {})).toMatchObject({ payments: [], total: 0 })
    const [[address, init] = []] = fetched.mock.calls
    expect(address).toBe('/v1/payments/all?limit=100')
    expect(init?.method).toBe('GET')
    expect(init?.body).toBeUndefined()
  })

  test('names the filters, and where the last page ended', async () => {
    await fetchPaymentsPage({ filters: { status: 'failed', search: 'x' }, cursor: idOf(300), limit: 100 })
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      status: 'failed',
      search: 'x',
      limit: '100',
      cursor: idOf(300),
    })
  })

  test('at first takes one page', async () => {
    const { payments, nextCursor } = await fetchLoadedPayments(new QueryClient(), {})
    expect(payments).toHaveLength(100)
    expect(nextCursor).toBe(idOf(ALL - 99))
    expect(limits()).toEqual(['100'])
  })

  test('again takes as many as were loaded, in few steps', async () => {
    const cache = new QueryClient()
    const known = await fetchPaymentsPage({ filters: {}, cursor: null, limit: 1700 })
    cache.setQueryData<PaymentList>(queryKeys.paymentList({}), known)
    asked.length = 0
    const { payments } = await fetchLoadedPayments(cache, {})
    expect(payments).toEqual(known.payments)
    expect(limits()).toEqual(['1000', '700'])
  })

  test('keeps what became known while the answer was on its way', async () => {
    const cache = new QueryClient()
    const known = await fetchLoadedPayments(cache, {})
    const [newest] = known.payments
    const news = { ...newest, status: 'COMPLETED', updatedAt: '2026-11-20T09:05:00.000Z' }
    cache.setQueryData(queryKeys.paymentList({}), { ...known, payments: [news, ...known.payments.slice(1)] })
    expect((await fetchLoadedPayments(cache, {})).payments[0]).toEqual(news)
  })

  test.each([
    ['the words of the server', '{"message":"We are closed"}', 'We are closed'],
    ['our own when it has none', '<h1>Bad Gateway</h1>', 'Failed to load payments'],
  ])('[ERR-36] that fails gives %s', async (_what, body, words) => {
    vi.stubGlobal('fetch', async () => new Response(body, { status: 502 }))
    await expect(fetchLoadedPayments(new QueryClient(), {})).rejects.toThrow(words)
  })
})
