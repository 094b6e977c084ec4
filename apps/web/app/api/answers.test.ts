import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Filters } from '../lib/payment-filters.ts'
import { fetchApplication, fetchApplications } from './applications.ts'
import { fetchPaymentsPage } from './payments.ts'
import { fetchStats } from './stats.ts'

// Answers of a host that sends the specified fields only, and answers of another shape.

const answer = (body: unknown) =>
  vi.stubGlobal(
    'fetch',
    async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: 200 }),
  )
afterEach(() => vi.unstubAllGlobals())

const payments = (filters: Filters = {}) =>
  fetchPaymentsPage({ cache: new QueryClient(), filters, cursor: null, limit: 100 })

const payment = (day: number, change: object = {}) => ({
  _id: `txn_${day}`,
  paymentId: `pay_${day}`,
  applicationId: 'app_1',
  amount: day,
  currency: 'USD',
  status: 'COMPLETED',
  method: 'ecocash',
  paymentMethodReference: 'MP1',
  purposeDescription: 'Basket',
  customerPhoneNumber: '0771234567',
  createdAt: `2026-11-${day}T09:00:00.000Z`,
  ...change,
})
const days = (list: { readonly payments: readonly { readonly amount: number }[] }) =>
  list.payments.map(({ amount }) => amount)

describe('[CALLS-42] [PAY-30] [R-50] payments without counts are the whole list', () => {
  const mixed = [payment(11), payment(13), payment(12)]
  test.each([
    ['a plain array', mixed],
    ['an object with the list', { payments: mixed }],
    ['an object with a cursor of its own', { payments: mixed, nextCursor: 'pay_11' }],
  ])('%s is newest first, with its own counts and no further page', async (_shape, body) => {
    answer(body)
    const list = await payments()
    expect(days(list)).toEqual([13, 12, 11])
    expect(list).toMatchObject({ total: 3, matched: 3, hasMoreMatches: false, nextCursor: null })
  })

  test.each<[Filters, number[]]>([
    [{ search: 'PAY_1' }, [13, 12, 11]],
    [{ search: 'zzz' }, []],
    [{ search: 'pay_11'.padEnd(70, '1') }, []],
    [{ minAmount: '12' }, [13, 12]],
    [{ maxAmount: '12.5' }, [12, 11]],
    [{ from: '2026-11-12', to: '2026-11-12' }, [12]],
    [{ status: 'refunded' }, []],
    [{ status: 'completed', method: 'ecocash' }, [13, 12, 11]],
    [{ applicationId: 'app_2' }, []],
    [{ applicationId: 'app_1' }, [13, 12, 11]],
  ])('the filters %j leave %j', async (filters, left) => {
    answer(mixed)
    const list = await payments(filters)
    expect(days(list)).toEqual(left)
    expect(list).toMatchObject({ total: 3, matched: left.length })
  })

  test('[R-34] a filter means every application of the chosen name', async () => {
    answer([payment(11), payment(12, { applicationId: 'app_2' }), payment(13, { applicationId: 'app_3' })])
    const cache = new QueryClient()
    cache.setQueryData(
      ['applications'],
      ['Till', 'Till', 'Shop'].map((applicationName, index) => ({
        _id: `app_${index + 1}`,
        applicationName,
      })),
    )
    const list = await fetchPaymentsPage({
      cache,
      filters: { applicationId: 'app_1' },
      cursor: null,
      limit: 1,
    })
    expect(days(list)).toEqual([12, 11])
  })
})

test('[CALLS-43] [R-50] the absent fields of a payment are null, zero or empty', async () => {
  answer([payment(11)])
  expect((await payments()).payments[0]).toMatchObject({
    ...payment(11),
    amountCaptured: null,
    amountRefunded: 0,
    fee: null,
    net: null,
    capture: 'automatic',
    captureBefore: null,
    updatedAt: payment(11).createdAt,
  })
})

test('[CALLS-33] [R-50] the absent fields of an application are null or empty', async () => {
  answer({ application: { _id: 'app_1', applicationName: 'Till', status: 'active', applicationKey: 'mk_1' } })
  expect(await fetchApplication('app_1')).toMatchObject({
    description: '',
    stopReason: null,
    testKey: null,
    bankRejection: null,
    bankAccountNumber: null,
    nameApproved: false,
    logoPath: null,
  })
})

test('[CALLS-27] [R-50] the specified figures are enough', async () => {
  answer({
    data: {
      totalRevenueToday: 1,
      revenueLast7Days: 2,
      totalCompleted: 3,
      totalApplications: 4,
      topPaymentMethods: [{ method: 'ecocash', count: 2 }, null, { method: 'visa' }],
      recentPayments: [{ paymentId: 'pay_1', amount: 5, currency: 'USD', status: 'PENDING' }, {}, 'x'],
    },
  })
  expect(await fetchStats()).toMatchObject({
    reportingCurrency: 'USD',
    totalRevenueToday: 1,
    comparison: null,
    revenueByDay: null,
    topPaymentMethods: [{ method: 'ecocash', count: 2 }],
    recentPayments: [{ paymentId: 'pay_1', applicationName: '', amountCaptured: null, amountRefunded: 0 }],
    byCurrency: {},
  })
})

test.each<[string, unknown[]]>([
  ['nothing', [null, 'text', 7, [], {}]],
  ['an item of another type', [{ _id: { $oid: '1' } }, { paymentId: true }]],
])('[R-50] %s in a list leaves the other items', async (_what, bad) => {
  answer([...bad, payment(12)])
  expect((await payments()).payments.map(({ paymentId }) => paymentId)).toEqual(['pay_12'])
  answer({ applications: [...bad, { _id: 'app_1' }] })
  expect(await fetchApplications()).toMatchObject([{ _id: 'app_1', applicationName: '', category: '' }])
})

describe.each<[string, () => Promise<unknown>, string]>([
  ['[ERR-20] the figures', () => fetchStats(), 'Failed to load dashboard stats'],
  ['[ERR-36] the payments', () => payments(), 'Failed to load payments'],
  ['[ERR-23] the applications', () => fetchApplications(), 'Failed to fetch applications'],
  ['[ERR-27] one application', () => fetchApplication('app_1'), 'Invalid application data received'],
])('%s in another shape', (_what, call, sentence) => {
  test.each([
    '',
    'null',
    '<!doctype html>',
    '{}',
    '{"data":[]}',
    '"text"',
    '7',
    '{"data":null}',
    '{"data":{}}',
  ])('have the sentence of the screen: %j', async (body) => {
    answer(body)
    await expect(call()).rejects.toThrow(sentence)
  })
})
