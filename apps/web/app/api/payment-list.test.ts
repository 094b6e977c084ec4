import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import { describe, expect, test } from 'vitest'
import {
  applyUpdates,
  FIRST_PAGE,
  flattenPages,
  type PaymentList,
  type PaymentPages,
  paymentListIn,
  replacePages,
  type UpdateRules,
} from './payment-list.ts'

/** Ids sort by the time of creation: a newer payment has a larger number. */
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
  hits: [],
  nextCursor: payment(8).paymentId,
}
const pagesOf = (...pages: PaymentList[]): PaymentPages => ({
  pages,
  pageParams: pages.map(() => FIRST_PAGE),
})
const numbers = ({ payments }: PaymentList) => payments.map(({ paymentId }) => Number(paymentId.slice(4)))
const all = { matches: (_: DashboardPayment): boolean => true, countsTotal: true }
const applied = (list: PaymentList, changed: DashboardPayment[], rules: UpdateRules = all) =>
  flattenPages(applyUpdates(pagesOf(list), changed, rules))

describe('a response', () => {
  test('[CALLS-42] is a list, whose length is its count, or an object with a list', () => {
    const newer = paymentListIn(loaded) as PaymentList
    expect(numbers(newer)).toEqual([10, 9, 8])
    expect(newer).toMatchObject({ total: 10, matched: 10, nextCursor: loaded.nextCursor })
    const plain = paymentListIn([payment(2), payment(1)]) as PaymentList
    expect(numbers(plain)).toEqual([2, 1])
    expect(plain).toMatchObject({
      total: 2,
      matched: 2,
      hasMoreMatches: false,
      nextCursor: null,
    })
  })
  test('is appended to the previous pages, with the newer counts', () => {
    const next = { ...loaded, payments: [payment(7)], total: 11, matched: 11, nextCursor: null }
    const list = flattenPages(pagesOf(loaded, next))
    expect(numbers(list)).toEqual([10, 9, 8, 7])
    expect(list).toMatchObject({ total: 11, matched: 11, nextCursor: null })
  })
  test('is joined with the previous page, so that a refetch takes one request', () => {
    const next = { ...loaded, payments: [payment(7)], nextCursor: payment(7).paymentId }
    const { pages, pageParams } = replacePages(undefined, pagesOf(loaded, next))
    expect(pages.map(numbers)).toEqual([[10, 9, 8, 7]])
    expect(pageParams).toEqual([FIRST_PAGE])
    expect(pages[0]?.nextCursor).toBe(payment(7).paymentId)
  })
  test('without a change keeps the same object', () => {
    const cached = replacePages(undefined, pagesOf(loaded, { ...loaded, payments: [payment(7)] }))
    expect(replacePages(cached, structuredClone(cached))).toBe(cached)
  })
  test('keeps the objects of unchanged rows, and rows in a later state', () => {
    const cached = pagesOf({ ...loaded, payments: [paid(10), payment(9)] })
    const rows = flattenPages(replacePages(cached, pagesOf(structuredClone(loaded)))).payments
    expect(rows[0]).toEqual(paid(10))
    expect(rows[1]).toBe(cached.pages[0]?.payments[1])
  })
})

describe('an update', () => {
  test('replaces its row, and the other rows are the same objects', () => {
    const list = applied(loaded, [paid(9)])
    expect(list.payments[1]).toEqual(paid(9))
    expect(list.payments[0]).toBe(loaded.payments[0])
    expect(list).toMatchObject({ total: 10, matched: 10 })
  })
  test('with an earlier state changes nothing', () => {
    expect(applied({ ...loaded, payments: [paid(10)] }, [payment(10)]).payments).toEqual([paid(10)])
  })
  test('of new payments puts them at the top, newest first, and counts them', () => {
    const list = applied(loaded, [payment(11), payment(12)])
    expect(numbers(list)).toEqual([12, 11, 10, 9, 8])
    expect(list).toMatchObject({ total: 12, matched: 12, nextCursor: payment(8).paymentId })
  })
  test('of a payment on a page that is not loaded changes nothing', () => {
    expect(applied(loaded, [paid(3)])).toEqual(loaded)
  })
  test('of the first payment puts it into the empty list', () => {
    const empty = { payments: [], total: 0, matched: 0, hasMoreMatches: false, hits: [], nextCursor: null }
    expect(applied(empty, [payment(1)])).toEqual({ ...empty, payments: [payment(1)], total: 1, matched: 1 })
  })
  test('of a listed payment keeps it under a search that the browser cannot repeat', () => {
    const found = { matches: (_: DashboardPayment, isListed: boolean) => isListed, countsTotal: false }
    const list = applied(loaded, [paid(9), payment(11)], found)
    expect(numbers(list)).toEqual([10, 9, 8])
    expect(list.payments[1]?.status).toBe('COMPLETED')
  })
  test('of a payment between two pages puts it into the order', () => {
    const next = { ...loaded, payments: [payment(6), payment(5)], nextCursor: payment(5).paymentId }
    const { pages } = applyUpdates(pagesOf(loaded, next), [payment(7), payment(11)], all)
    expect(pages.map(numbers)).toEqual([
      [11, 10, 9, 8],
      [7, 6, 5],
    ])
  })
  test('of a filtered list adds payments that match now, and removes payments that no longer match', () => {
    const pending = { matches: ({ status }: DashboardPayment) => status === 'PENDING', countsTotal: false }
    const list = applied(loaded, [paid(10), payment(11), paid(12)], pending)
    expect(numbers(list)).toEqual([11, 9, 8])
    expect(list).toMatchObject({ total: 10, matched: 10, nextCursor: payment(8).paymentId })
  })
})
