import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Filters } from '../lib/payment-filters.ts'
import { appendPage, listIn, mergeUpdates, type PaymentList } from './payment-list.ts'
import { mergePayments } from './payments.ts'
import { queryKeys } from './query-keys.ts'

/** Ids sort by the time of creation: the larger the number, the newer the payment. */
function payment(n: number, change: Partial<DashboardPayment> = {}): DashboardPayment {
  const paymentId = PaymentId.parse(`pay_${String(n).padStart(26, '0')}`)
  return {
    _id: transactionOf(paymentId),
    paymentId,
    status: 'PENDING',
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...change,
  } as DashboardPayment
}
const paid = (n: number) => payment(n, { status: 'COMPLETED', updatedAt: '2026-11-20T09:05:00.000Z' })

/** Three payments of ten are loaded. */
const loaded: PaymentList = {
  payments: [payment(10), payment(9), payment(8)],
  total: 10,
  matched: 10,
  hasMoreMatches: false,
  nextCursor: payment(8).paymentId,
}
const numbers = ({ payments }: PaymentList) => payments.map(({ paymentId }) => Number(paymentId.slice(4)))

describe('an answer', () => {
  test('[CALLS-42] is a list, which counts itself, or an object with one', () => {
    expect(listIn(loaded)).toBe(loaded)
    expect(listIn([payment(2), payment(1)])).toEqual({
      payments: [payment(2), payment(1)],
      total: 2,
      matched: 2,
      hasMoreMatches: false,
      nextCursor: null,
    })
  })
  test('follows the list that it was asked for, with newer counts', () => {
    const next = { ...loaded, payments: [payment(7)], total: 11, matched: 11, nextCursor: null }
    const list = appendPage(loaded, payment(8).paymentId, next)
    expect(numbers(list)).toEqual([10, 9, 8, 7])
    expect(list).toMatchObject({ total: 11, matched: 11, nextCursor: null })
  })
  test('to a list that ends elsewhere by now is dropped', () => {
    expect(appendPage(loaded, payment(9).paymentId, { ...loaded, payments: [payment(8)] })).toBe(loaded)
  })
})

describe('what changed', () => {
  test('stands in its place; the other rows are the same objects', () => {
    const list = mergeUpdates(loaded, [paid(9)], true)
    expect(list.payments[1]).toEqual(paid(9))
    expect(list.payments[0]).toBe(loaded.payments[0])
    expect(list).toMatchObject({ total: 10, matched: 10 })
  })
  test('does not go back to an earlier state', () => {
    const list = mergeUpdates({ ...loaded, payments: [paid(10)] }, [payment(10)], true)
    expect(list.payments).toEqual([paid(10)])
  })
  test('and is new stands on top, the newest first, and is counted', () => {
    const list = mergeUpdates(loaded, [payment(11), payment(12)], true)
    expect(numbers(list)).toEqual([12, 11, 10, 9, 8])
    expect(list).toMatchObject({ total: 12, matched: 12, nextCursor: payment(8).paymentId })
  })
  test('and belongs to a page that is not loaded changes nothing', () => {
    expect(mergeUpdates(loaded, [paid(3)], true)).toEqual(loaded)
  })
  test('and is the very first payment stands in the empty list', () => {
    const empty = { payments: [], total: 0, matched: 0, hasMoreMatches: false, nextCursor: null }
    expect(mergeUpdates(empty, [payment(1)], true)).toEqual({
      ...empty,
      payments: [payment(1)],
      total: 1,
      matched: 1,
    })
  })
  test('and is new does not come into a list that takes none', () => {
    expect(mergeUpdates(loaded, [payment(11)], false)).toEqual(loaded)
  })
})

describe('merging into the cache', () => {
  afterEach(() => vi.useRealTimers())

  function openList(cache: QueryClient, filters: Filters) {
    const queryFn = vi.fn(async () => loaded)
    const queryKey = queryKeys.paymentList(filters)
    cache.setQueryData(queryKey, loaded)
    const stop = new QueryObserver(cache, {
      queryKey,
      queryFn,
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => {})
    return { queryFn, stop, list: () => cache.getQueryData<PaymentList>(queryKey) ?? loaded }
  }

  test('puts new payments on top of the whole list, which is not asked for again', async () => {
    const cache = new QueryClient()
    const whole = openList(cache, {})
    mergePayments(cache, [payment(11), paid(10)])
    expect(numbers(whole.list())).toEqual([11, 10, 9, 8])
    expect(whole.list().payments[1]?.status).toBe('COMPLETED')
    expect(whole.queryFn).not.toHaveBeenCalled()
    whole.stop()
  })

  test('asks for a filtered list again, at once and then at most every two seconds', async () => {
    vi.useFakeTimers()
    const cache = new QueryClient()
    const pending = openList(cache, { status: 'pending' })
    mergePayments(cache, [payment(11), paid(10)])
    expect(numbers(pending.list())).toEqual([10, 9, 8])
    expect(pending.list().payments[0]?.status).toBe('COMPLETED')
    expect(pending.queryFn).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(10)
    for (let n = 12; n < 40; n += 1) mergePayments(cache, [payment(n)])
    await vi.advanceTimersByTimeAsync(1900)
    expect(pending.queryFn).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(pending.queryFn).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(pending.queryFn).toHaveBeenCalledTimes(2)
    pending.stop()
  })
})
