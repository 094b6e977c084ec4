import { AccountId, PaymentId } from '@muripo/contract/ids'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { makePaid } from './factory.ts'
import { aggregatePaymentStats } from './jobs.ts'
import { applyStatDeltas } from './store-figures.ts'

let world: World
let shops: Shop[]

beforeAll(async () => {
  world = await makeWorld()
  const own = await makeShop(world.ctx)
  shops = [own, await makeShop(world.ctx, own.merchantId), await makeShop(world.ctx)]
})
afterAll(() => world.ctx.close())

const rows = async (text: string, values: unknown[] = [], db = world.ctx.db) =>
  (await db.pool.query(text, values)).rows
const drift = () => rows('select * from payment_figures_drift')
const notes = async () => Number((await rows('select count(*) as notes from payment_stat_deltas'))[0].notes)

const start = Date.parse('2026-10-31T23:00:00.000Z')
const minutes = fc.constantFrom(0, 1, 14, 15, 59, 60, 1439, 1440, 1500)
const changes = {
  complete: `status = 'completed', method = coalesce(method, 'ecocash'), completed_at = $4, fee_minor = 0`,
  fail: `status = 'failed', termination_reason = 'expired', termination_since = $4`,
  refund: `status = 'refunded', refunded_minor = amount_minor`,
  // Columns that no total depends on.
  wait: `status_reason = 'checking'`,
  choose: `method = 'visa'`,
} as const
const from: Record<keyof typeof changes, string[]> = {
  complete: ['pending', 'failed'],
  fail: ['pending'],
  refund: ['completed'],
  wait: ['pending', 'failed', 'completed', 'refunded'],
  choose: ['pending', 'failed'],
}

type Step =
  | { kind: 'create'; shop: number; count: number; amount: number; at: number; method: string | null }
  | { kind: keyof typeof changes; shop: number; count: number; at: number }
  | { kind: 'aggregate'; most: number }
  | { kind: 'rebuild' }

const which = { shop: fc.nat({ max: 2 }), count: fc.integer({ min: 1, max: 4 }), at: minutes }
const create: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('create' as const),
  ...which,
  amount: fc.constantFrom(1, 999, 1000, 1001, 999_999, 1_000_000, 99_999_999_999),
  method: fc.constantFrom(null, 'ecocash', 'visa'),
})
const change: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('complete', 'complete', 'fail', 'refund', 'wait', 'choose'),
  ...which,
})
// The number is small, so that the deltas of one payment are aggregated in several batches.
const aggregate: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('aggregate' as const),
  most: fc.integer({ min: 1, max: 5 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 5, arbitrary: change },
  { weight: 5, arbitrary: aggregate },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'rebuild' }) },
)

async function take(next: Step, db = world.ctx.db): Promise<unknown> {
  if (next.kind === 'aggregate') return applyStatDeltas(db.kysely, next.most)
  if (next.kind === 'rebuild') return rows('select rebuild_payment_figures()', [], db)
  const shop = shops[next.shop] as Shop
  const owner = [uuidOf(shop.accountId), uuidOf(shop.applicationId)]
  const at = new Date(start + next.at * 60_000)
  if (next.kind === 'create') {
    // One statement changes all rows, as the batch writer does.
    return rows(
      `insert into payments (account_id, application_id, id, amount_minor, currency, method, description, created_at, updated_at, expires_at)
       select $1, $2, (lpad(to_hex($3::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8'
         || substr(md5(random()::text), 1, 15))::uuid, $4, case nth % 2 when 0 then 'USD' else 'ZWG' end, $5, 'Order', $6, $6, $6
       from generate_series(1, $7::int) as nth`,
      [...owner, at.getTime(), next.amount, next.method, at, next.count],
      db,
    )
  }
  const update = `update payments set last_event = last_event + 1, ${changes[next.kind]} where (account_id, id) in (
    select account_id, id from payments where account_id = $1 and application_id = $2 and status = any($3)
    order by id limit $5 for update) and $4::timestamptz is not null`
  return rows(update, [...owner, from[next.kind], at, next.count], db)
}

test('totals and deltas equal the payments, in any state of the aggregation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      for (const next of steps) {
        await take(next)
        if (['aggregate', 'rebuild'].includes(next.kind)) expect(await drift()).toEqual([])
      }
      expect(await drift()).toEqual([])
    }),
    { numRuns: 40 },
  )
  // The last step may have aggregated everything.
  await take({ kind: 'create', shop: 0, at: 0, amount: 100, method: null, count: 1 })
  expect(await notes()).toBeGreaterThan(0)
  await aggregatePaymentStats(world.ctx)
  expect(await notes()).toBe(0)
  expect(await drift()).toEqual([])
  expect(await applyStatDeltas(world.ctx.db.kysely, 10)).toBe(0)
})

test('the deltas of a payment may be aggregated one by one, also when a total has one payment alone', async () => {
  await aggregatePaymentStats(world.ctx)
  const shop = shops.push(await makeShop(world.ctx)) - 1
  await take({ kind: 'create', shop, count: 1, amount: 999, at: 0, method: null })
  await take({ kind: 'complete', shop, count: 1, at: 0 })
  await aggregatePaymentStats(world.ctx)
  await take({ kind: 'refund', shop, count: 1, at: 0 })
  while ((await applyStatDeltas(world.ctx.db.kysely, 1)) > 0) expect(await drift()).toEqual([])
})

test('a payment may be created in a quarter of an hour while another one of it changes', async () => {
  await aggregatePaymentStats(world.ctx)
  const shop = shops.push(await makeShop(world.ctx)) - 1
  const make = (amount: number) => take({ kind: 'create', shop, count: 1, amount, at: 0, method: null })
  await make(1)
  await take({ kind: 'complete', shop, count: 1, at: 0 })
  await make(1000)
  await aggregatePaymentStats(world.ctx)
  await take({ kind: 'complete', shop, count: 1, at: 0 })
  await take({ kind: 'refund', shop, count: 1, at: 0 })
  // Completed: the delta of the refunded one is left.
  expect(await applyStatDeltas(world.ctx.db.kysely, 1)).toBe(1)
  expect(await drift()).toEqual([])
})

test('sixty-four writers and three aggregators at once lose nothing, and a reader between them sees no difference', async () => {
  const crowd = simulateTime(createDatabase(world.ctx.databaseUrl, { maxConnections: 68 }), world.ctx.clock)
  try {
    const writers = Array.from({ length: 64 }, async (_, nth) => {
      for (const next of fc.sample(fc.oneof(create, change), { seed: nth, numRuns: 8 }))
        await take(next, crowd)
    })
    let isOver = false
    const over = Promise.all(writers).finally(() => {
      isOver = true
    })
    const aggregators = Array.from({ length: 3 }, async () => {
      while (!isOver) await applyStatDeltas(crowd.kysely, 50)
    })
    while (!isOver) expect(await drift()).toEqual([])
    await Promise.all([over, ...aggregators])
  } finally {
    await crowd.close()
  }
  await aggregatePaymentStats(world.ctx)
  expect([await notes(), await drift()]).toEqual([0, []])
})

test('a wrong total is found, and corrected by counting again', async () => {
  await take({ kind: 'create', shop: 0, count: 3, amount: 1250, at: 0, method: null })
  await aggregatePaymentStats(world.ctx)
  await rows(
    `update payment_counts set payments = payments + 1 where starts_at = '-infinity' and status = 'pending'`,
  )
  const found = await drift()
  expect(new Set(found.map(({ figure }) => figure))).toEqual(new Set(['payments']))
  await take({ kind: 'rebuild' })
  expect(await drift()).toEqual([])
})

test('the database refuses an impossible total', async () => {
  const shop = shops[0] as Shop
  const insert = (payments: number) =>
    rows(
      `insert into payment_counts values ($1, '-infinity', $2, 'pending', '', $3)
       on conflict (account_id, starts_at, application_id, status, method) do update set payments = $3`,
      [uuidOf(shop.accountId), uuidOf(shop.applicationId), payments],
    )
  await expect(insert(0)).rejects.toMatchObject({ code: '23514' })
  await expect(insert(-1)).rejects.toMatchObject({ code: '23514' })
})

test('a payment is as old as its id', async () => {
  const shop = shops[0] as Shop
  const late = rows(
    `insert into payments (account_id, application_id, id, amount_minor, currency, description, created_at, updated_at, expires_at)
     values ($1, $2, $3, 1, 'USD', 'Order', $4, $4, $4)`,
    [
      uuidOf(shop.accountId),
      uuidOf(shop.applicationId),
      uuidOf(world.ctx.ids.next(PaymentId)),
      new Date(world.ctx.clock.now().getTime() + 1),
    ],
  )
  await expect(late).rejects.toMatchObject({ constraint: 'payments_created_with_id' })
})

test('aggregated changes are published, once for each merchant and with fifty ids at most', async () => {
  await aggregatePaymentStats(world.ctx)
  const received: { accountId: string; paymentIds: string[]; more: boolean }[] = []
  const listener = await listen(
    world.ctx.databaseUrl,
    channels.paymentsChanged,
    { onMessage: (payload) => received.push(JSON.parse(payload)), missed: () => undefined },
    world.ctx.log,
  )
  try {
    const [many, , few] = shops as [Shop, Shop, Shop]
    await take({ kind: 'create', shop: 0, count: 51, amount: 1250, at: 15, method: null })
    const { id } = await makePaid(world.ctx, few.owner, world.provider)
    await aggregatePaymentStats(world.ctx)
    await expect.poll(() => received.length).toBe(2)
    const published = new Map(received.map((each) => [idFrom(AccountId, each.accountId), each]))
    expect(published.get(few.accountId)).toMatchObject({ paymentIds: [uuidOf(id)], more: false })
    expect(published.get(many.accountId)?.more).toBe(true)
    expect(published.get(many.accountId)?.paymentIds).toHaveLength(50)
  } finally {
    await listener.close()
  }
})
