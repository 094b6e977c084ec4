import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { paymentMethods, paymentStatuses } from '@muripo/contract/enums'
import { PaymentId } from '@muripo/contract/ids'
import { matchesFilter } from '@muripo/contract/payment-filters'
import fc from 'fast-check'
import { expect } from 'vitest'
import { idFrom, uuidOf } from '../src/platform/ids.ts'
import { makeCaller } from './app.ts'
import { test as base } from './fixtures.ts'
import { makeShop } from './world.ts'

const HOUR_MS = 3_600_000
const start = Date.parse('2026-10-20T00:00:00.000Z')
const zones = ['Africa/Harare', 'Asia/Kolkata', 'America/New_York', 'Pacific/Auckland', 'UTC']
const amounts = [1, 50, 999, 1000, 1001, 1_000_000, 99_999_999_999]

/** A UUID of version 7, whose first 48 bits are the time. */
function uuidAt(ms: number, nth: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  const tail = ((nth * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail}${tail.slice(0, 4)}`
}

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const day = fc
  .nat({ max: 22 })
  .map((days) => new Date(start + (days - 1) * 24 * HOUR_MS).toISOString().slice(0, 10))
const amount = fc.constantFrom(...amounts).map((minor) => String(minor / 100))
const cased = (words: readonly string[]) =>
  fc.constantFrom(...words, ...words.map((word) => word.toUpperCase()))
const filtersOf = (all: readonly DashboardPayment[]) =>
  fc.record({
    from: sometimes(day),
    to: sometimes(day),
    status: sometimes(cased(paymentStatuses)),
    method: sometimes(cased(paymentMethods)),
    minAmount: sometimes(amount),
    maxAmount: sometimes(amount),
    applicationId: sometimes(fc.constantFrom(...new Set(all.map(({ applicationId }) => applicationId)))),
    search: sometimes(
      fc
        .tuple(fc.constantFrom(...all), fc.nat({ max: 29 }), fc.integer({ min: 1, max: 30 }), fc.boolean())
        .map(([{ paymentId }, from, length, upper]) => {
          const part = paymentId.slice(from, from + length)
          return upper ? part.toUpperCase() : part
        }),
    ),
  })

/** Two applications of one name with two hundred payments. */
const test = base.extend('dashboard', { scope: 'file' }, async ({ world, app }) => {
  const caller = await makeCaller(world.ctx)
  const shops = [caller, await makeShop(world.ctx, caller.merchantId)]
  const payment = fc.record({
    shop: fc.constantFrom(...shops),
    status: fc.constantFrom('pending', 'completed'),
    method: fc.constantFrom(null, ...paymentMethods),
    amount: fc.constantFrom(...amounts),
    // Many payments are at full hours, which include midnight of the time zones.
    at: fc
      .tuple(fc.nat({ max: 20 * 24 * 2 }), fc.constantFrom(0, 0, -1, 1, 77_777))
      .map(([halves, ms]) => start + (halves * HOUR_MS) / 2 + ms),
  })
  for (const [nth, each] of fc.sample(payment, { seed: 7, numRuns: 200 }).entries()) {
    await world.ctx.db.pool.query(
      `insert into payments (account_id, application_id, id, amount_minor, currency, status, method, description, created_at, updated_at,
         completed_at, fee_minor, expires_at)
       values ($1, $2, $3, $4, 'USD', $5, $6, 'Order', $7, $7, case $5 when 'completed' then $7::timestamptz end,
         case $5 when 'completed' then 0 end, $7)`,
      [
        uuidOf(each.shop.merchantId),
        uuidOf(each.shop.applicationId),
        uuidOf(idFrom(PaymentId, uuidAt(each.at, nth))),
        each.amount,
        each.status,
        each.method,
        new Date(each.at),
      ],
    )
  }
  const list = async (filters: Record<string, string>): Promise<DashboardPayment[]> => {
    const search = new URLSearchParams({ ...filters, limit: '1000' })
    const answer = await app.inject({ url: `/v1/payments/all?${search}`, headers: caller.withSession })
    expect(answer.statusCode).toBe(200)
    return answer.json().payments
  }
  const setTimeZone = (timeZone: string) =>
    app.inject({ method: 'PATCH', url: '/v1/account', headers: caller.withSession, payload: { timeZone } })
  const all = await list({})
  expect(all).toHaveLength(200)
  return { all, list, setTimeZone }
})

test.for(zones)(
  'the browser matches under any filter the list of the server, in %s',
  async (timeZone, { dashboard: { all, list, setTimeZone } }) => {
    expect((await setTimeZone(timeZone)).statusCode).toBe(200)
    await fc.assert(
      fc.asyncProperty(filtersOf(all), async (chosen) => {
        const given = Object.fromEntries(
          Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        )
        const application = all.find(({ applicationId }) => applicationId === given.applicationId)
        const context = { timeZone, applicationName: application?.applicationName }
        const matching = all.filter((payment) => matchesFilter(payment, given, context))
        const listed = await list(given)
        expect(matching.map(({ paymentId }) => paymentId)).toEqual(listed.map(({ paymentId }) => paymentId))
      }),
      { numRuns: 40 },
    )
  },
)
