import { PaymentId } from '@muripo/contract/ids'
import {
  DashboardPaymentQuery,
  PublicPaymentQuery,
  paymentMethods,
  paymentStatuses,
} from '@muripo/contract/payments'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { applyStatDeltas } from '../store-figures.ts'
import { countForDashboard } from './store-count.ts'
import { listForApplication, listForDashboard } from './store-list.ts'

interface Known {
  readonly id: PaymentId
  readonly shop: number
  readonly status: string
  readonly method: string | null
  readonly amount: number
  readonly reference: string | null
  readonly at: number
}

let world: World
let shops: Shop[]
let known: Known[]

const HOUR = 3_600_000
const start = Date.parse('2026-10-20T00:00:00.000Z')
const amounts = [1, 49, 50, 999, 1000, 1001, 1250, 999_999, 1_000_000, 1_000_001, 99_999_999_999]
const zones = ['Africa/Harare', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'UTC']

beforeAll(async () => {
  world = await makeWorld()
  const first = await makeShop(world.ctx)
  shops = [first, await makeShop(world.ctx, first.merchantId), await makeShop(world.ctx, first.merchantId)]
  const other = await makeShop(world.ctx)
  const spread = fc.record({
    // The second shop has no recent payments, and a third has none.
    shop: fc.constantFrom(0, 0, 0, 1),
    status: fc.constantFrom('pending', 'completed', 'completed', 'completed', 'failed'),
    method: fc.constantFrom(null, 'ecocash', 'ecocash', 'innbucks', 'visa'),
    amount: fc.constantFrom(...amounts),
    reference: fc.constantFrom(null, 'rent', 'order-1', 'order-2'),
    // Many payments are at full hours and at midnight of the time zones.
    at: fc
      .tuple(fc.nat({ max: 20 * 24 * 4 }), fc.constantFrom(0, 0, -1, 1, 77_777))
      .map(([quarters, ms]) => start + (quarters * HOUR) / 4 + ms),
  })
  const made = fc.sample(spread, { seed: 4, numRuns: 400 }).map((each, nth) => ({
    ...each,
    at: each.shop === 1 ? start + (each.at % (5 * 24 * HOUR)) : each.at,
    id: idFrom(PaymentId, uuidAt(each.shop === 1 ? start + (each.at % (5 * 24 * HOUR)) : each.at, nth)),
  }))
  for (const each of made) await insert(shops[each.shop] as Shop, each)
  for (const each of made.slice(0, 50)) await insert(other, each)
  known = made.toSorted((one, other) => (one.id < other.id ? 1 : -1))
})
afterAll(() => world.ctx.close())

function uuidAt(ms: number, nth: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  const tail = ((nth * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail}${tail.slice(0, 4)}`
}

const insert = (shop: Shop, { id, amount, reference, status, method, at }: Known) =>
  world.ctx.db.pool.query(
    `insert into payments (account_id, application_id, id, amount_minor, currency, status, method, description, created_at, updated_at,
       completed_at, fee_minor, expires_at, termination_reason, termination_since, reference)
     values ($1, $2, $3, $4, 'USD', $5, $6, 'Order', $7, $7, case $5 when 'completed' then $7::timestamptz end,
       case $5 when 'completed' then 0 end, $7,
       case $5 when 'failed' then 'expired' end, case $5 when 'failed' then $7::timestamptz end, $8)`,
    [
      uuidOf(shop.accountId),
      uuidOf(shop.applicationId),
      uuidOf(id),
      amount,
      status,
      method,
      new Date(at),
      reference,
    ],
  )

const dayOf = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()

/** The definition of the filter in its simplest form. */
const keeps = (payment: Known, query: Record<string, string | number | undefined>, zone: string): boolean =>
  (query.from === undefined || dayOf(payment.at, zone) >= query.from) &&
  (query.to === undefined || dayOf(payment.at, zone) <= query.to) &&
  (query.status === undefined || payment.status === query.status) &&
  (query.method === undefined || payment.method === query.method) &&
  (query.applicationId === undefined || shops[payment.shop]?.applicationId === query.applicationId) &&
  (query.minAmount === undefined || payment.amount >= Math.round(Number(query.minAmount) * 100)) &&
  (query.maxAmount === undefined || payment.amount <= Math.round(Number(query.maxAmount) * 100)) &&
  (query.search === undefined || payment.id.includes(String(query.search)))

/** An arbitrary that is present in some filters and absent in most. */
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const day = fc.nat({ max: 22 }).map((days) => dayOf(start + (days - 1) * 24 * HOUR, 'UTC'))
const amount = fc.constantFrom(...amounts).map((minor) => minor / 100)
const query = () =>
  fc.record({
    from: sometimes(day),
    to: sometimes(day),
    status: sometimes(fc.constantFrom(...paymentStatuses)),
    method: sometimes(fc.constantFrom(...paymentMethods)),
    applicationId: sometimes(fc.constantFrom(...shops.map(({ applicationId }) => applicationId))),
    minAmount: sometimes(amount),
    maxAmount: sometimes(amount),
    search: sometimes(
      fc
        .tuple(
          fc.constantFrom(...known),
          // The start, the place right after the prefix, and any place.
          fc.oneof(fc.constantFrom(0, 4, 5, 6, 7), fc.nat({ max: 29 })),
          fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 30 })),
        )
        .map(([{ id }, from, length]) => id.slice(from, from + length)),
    ),
    cursor: sometimes(fc.constantFrom(...known).map(({ id }) => id)),
    limit: fc.constantFrom(1, 3, 50, 1000),
  })

test('any filter matches its payments, newest first, and counts them, with totals of any age', async () => {
  await fc.assert(
    fc.asyncProperty(
      query(),
      fc.constantFrom(...zones),
      fc.nat({ max: 5 }),
      async (filters, timeZone, most) => {
        await applyStatDeltas(world.ctx.db.kysely, most)
        const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
        const filter = {
          accountId: shops[0]?.accountId as Shop['accountId'],
          query: DashboardPaymentQuery.parse(given),
          timeZone,
        }
        const matching = known.filter((payment) => keeps(payment, given, timeZone))
        const page = matching
          .filter(({ id }) => filters.cursor === undefined || id < filters.cursor)
          .slice(0, filters.limit + 1)
        const found = await listForDashboard(world.ctx.db.kysely, filter)
        expect(found.map(({ payment }) => payment.id)).toEqual(page.map(({ id }) => id))
        for (const given of [undefined, found])
          expect(await countForDashboard(world.ctx.db.kysely, filter, given)).toEqual({
            total: known.length,
            matched: matching.length,
            hasMoreMatches: false,
          })
      },
    ),
    { numRuns: 400 },
  )
})

/** A time at or beside that of a payment, written in some zone. */
const moment = () =>
  fc
    .tuple(fc.constantFrom(...known), fc.constantFrom(-1, 0, 1), fc.constantFrom(...zones))
    .map(([{ at }, ms, zone]) =>
      Temporal.Instant.fromEpochMilliseconds(at + ms)
        .toZonedDateTimeISO(zone)
        .toString({ timeZoneName: 'never' }),
    )

test('any query of a shop matches its own payments, newest first', async () => {
  const anyFilters = fc.record({
    status: sometimes(fc.constantFrom(...paymentStatuses)),
    reference: sometimes(fc.constantFrom('rent', 'order-1', 'order-3')),
    created_after: sometimes(moment()),
    created_before: sometimes(moment()),
    cursor: sometimes(fc.constantFrom(...known).map(({ id }) => id)),
    limit: fc.constantFrom(1, 3, 50, 100),
  })
  await fc.assert(
    fc.asyncProperty(anyFilters, fc.nat({ max: 2 }), fc.nat({ max: 5 }), async (filters, nth, most) => {
      await applyStatDeltas(world.ctx.db.kysely, most)
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
      const page = known
        .filter(
          ({ id, shop, status, reference, at }) =>
            shop === nth &&
            (filters.status === undefined || status === filters.status) &&
            (filters.reference === undefined || reference === filters.reference) &&
            (filters.created_after === undefined || at > Date.parse(filters.created_after)) &&
            (filters.created_before === undefined || at < Date.parse(filters.created_before)) &&
            (filters.cursor === undefined || id < filters.cursor),
        )
        .slice(0, filters.limit + 1)
      const shop = shops[nth] as Shop
      const found = await listForApplication(world.ctx.db.kysely, shop.owner, PublicPaymentQuery.parse(given))
      expect(found.map(({ id }) => id)).toEqual(page.map(({ id }) => id))
    }),
    { numRuns: 300 },
  )
})
