import { money } from '@muripo/contract/money'
import { expect, vi } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { test } from '../../../test/one-payment.ts'
import { createBackgroundTasks } from '../../platform/async/background-tasks.ts'
import { systemIds, uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { Reply } from '../providers/index.ts'
import { refundPayment } from './actions/request-refund.ts'
import { startAttempt } from './actions/start-attempt.ts'
import type { PaymentsCtx } from './context.ts'
import {
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
  unanswered,
} from './factory.ts'
import { checkDue } from './jobs.ts'
import { nextCheckAt } from './payment/schedule.ts'
import { createLookupQueue } from './provider-calls/lookup-queue.ts'
import { takeDueAttempts } from './provider-calls/store-provider-calls.ts'

test.beforeEach(({ world }) => clearDueCalls(world.ctx))

test('a charge whose sender died before its call is looked up when its lease ends', async ({
  world,
  payment,
  now,
  attempt,
  later,
}) => {
  world.provider.charge = () => new Promise(() => undefined)
  const { answered } = await startAttempt(world.ctx, payment.accountId, payment.id, {
    method: 'ecocash',
    phone: '0771234567',
  })
  void answered
  await later(59_999)
  expect(world.provider.lookups).toHaveLength(0)
  world.provider.lookup = async () => paid((await attempt()).amount)
  await later(1)
  expect(await now()).toMatchObject({ status: 'completed' })
  expect(world.provider.charges).toHaveLength(1)
})

test('several processes share the due look-ups without duplicates, and the next process takes over after one died', async ({
  world,
  shop,
  later,
}) => {
  const shops = await Promise.all(Array.from({ length: 30 }, () => makePayment(world.ctx, shop.owner)))
  for (const each of shops) await makeAttempt(world.ctx, each)
  const { promise, resolve } = Promise.withResolvers<Reply>()
  world.provider.lookup = () => promise
  world.ctx.clock.advance(10_000)
  const others = Array.from({ length: 4 }, () => ({
    ...world.ctx,
    backgroundTasks: createBackgroundTasks(world.ctx.log),
  }))
  for (const other of others) void lookUpDue(other)
  await expect.poll(() => world.provider.lookups.length).toBe(30)
  expect(new Set(world.provider.lookups.map(({ key }) => key)).size).toBe(30)
  world.provider.lookup = async () => refused()
  // The look-ups at the age of fifteen seconds come up to half a second earlier or later.
  await later(4499)
  expect(world.provider.lookups).toHaveLength(30)
  await later(1001)
  await later(0)
  expect(world.provider.lookups).toHaveLength(60)
  resolve(refused())
  for (const other of others) await other.backgroundTasks.drain()
})

test('a look-up that is still running at the time of the next one is not doubled', async ({
  world,
  payment,
  attempt,
}) => {
  await makeAttempt(world.ctx, payment)
  const { promise, resolve } = Promise.withResolvers<Reply>()
  world.provider.lookup = () => promise
  world.ctx.clock.advance(10_000)
  await checkDue(world.ctx)
  world.ctx.clock.advance(20_000)
  await checkDue(world.ctx)
  await expect.poll(() => world.provider.lookups.length).toBe(1)
  resolve(refused())
  await world.ctx.backgroundTasks.drain()
  expect(await attempt()).toMatchObject({ status: 'failed' })
  expect(world.provider.lookups).toHaveLength(1)
})

/** Each at another number, because the prompts of one number are limited. */
async function startCharges(
  ctx: PaymentsCtx,
  shop: { readonly owner: KeyOwner },
  count: number,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, nth) => `0771${String(nth).padStart(6, '0')}`)
  await Promise.all(numbers.map(async (phone) => makeAttempt(ctx, await makePayment(ctx, shop.owner), phone)))
}

test('more charges than there are places are looked up in two rounds, each once', async ({ world, shop }) => {
  const ctx = { ...world.ctx, lookupQueue: createLookupQueue() }
  await startCharges(world.ctx, shop, 200)
  world.provider.lookup = async () => pending()
  world.ctx.clock.advance(10_000)
  for (let round = 0; round < 2; round += 1) {
    await checkDue(ctx)
    await world.ctx.backgroundTasks.drain()
  }
  expect(new Set(world.provider.lookups.map(({ key }) => key)).size).toBe(200)
  expect(world.provider.lookups).toHaveLength(200)
})

test('a stop leaves look-ups that have not begun to their next time', async ({ world, shop }) => {
  const ctx = { ...world.ctx, lookupQueue: createLookupQueue() }
  await startCharges(world.ctx, shop, 100)
  const { promise, resolve } = Promise.withResolvers<Reply>()
  world.provider.lookup = async () => pending()
  world.ctx.clock.advance(10_000)
  await checkDue(ctx)
  await world.ctx.backgroundTasks.drain()
  expect(world.provider.lookups).toHaveLength(80)
  world.ctx.clock.advance(10_000)
  world.provider.lookup = () => promise
  const stop = new AbortController()
  await checkDue(ctx, stop.signal)
  await expect.poll(() => world.provider.lookups.length).toBe(160)
  stop.abort()
  resolve(pending())
  await world.ctx.backgroundTasks.drain()
  expect(world.provider.lookups).toHaveLength(160)
})

test('a look-up without news writes nothing', async ({ world, payment, attempt, later }) => {
  await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => pending()
  await later(10_000)
  const changes = vi.spyOn(world.ctx.db, 'commitStatement')
  const before = await attempt()
  await later(30_000)
  expect(world.provider.lookups).toHaveLength(2)
  expect(changes).not.toHaveBeenCalled()
  expect(await attempt()).toEqual({ ...before, checks: before.checks + 1, updatedAt: world.ctx.clock.now() })
})

const seconds = 1000
const ages = [0, 2.6, 2.8, 9.4, 9.6, 119, 290, 299, 3590, 23.8 * 3600, 23.95 * 3600]

test('the database schedules the next look-up of a charge as nextCheckAt does', async ({
  world,
  payment,
  attempt,
}) => {
  await makeAttempt(world.ctx, payment)
  const { createdAt, id } = await attempt()
  const { pool, kysely } = world.ctx.db
  for (const age of ages) {
    world.ctx.clock.advance(createdAt.getTime() + age * seconds - world.ctx.clock.now().getTime())
    const at = world.ctx.clock.now()
    for (const jitter of [0.9, 1, 1.1]) {
      await pool.query('update payment_attempts set next_check_at = $1 where id = $2', [at, uuidOf(id)])
      await takeDueAttempts(kysely, { minPollMs: { scripted: 3000 }, jitter, leaseMs: 60_000 }, 10)
      const next = 'select next_check_at as next from payment_attempts where id = $1'
      const { rows } = await pool.query<{ next: Date }>(next, [uuidOf(id)])
      const expected = nextCheckAt(createdAt, at, 3000, { ...systemIds, jitter: () => jitter })
      expect({ age, jitter, next: rows[0]?.next }).toEqual({ age, jitter, next: expected })
    }
  }
})

test('a look-up that throws does not prevent the others', async ({
  world,
  shop,
  payment,
  attempt,
  later,
}) => {
  await makeAttempt(world.ctx, payment)
  const second = await makePayment(world.ctx, shop.owner)
  await makeAttempt(world.ctx, second)
  const { key } = world.provider.charges[0] ?? { key: '' }
  world.provider.lookup = async (request) => {
    if (request.key === key) throw new TypeError('an error of ours')
    return refused()
  }
  await later(10_000)
  expect((await latestAttempt(world.ctx, second)).status).toBe('failed')
  expect((await attempt()).status).toBe('pending')
  expect(world.errors).toEqual(['a look-up failed'])
})

test('a look-up that hangs delays no other one, also of the next round', async ({
  world,
  shop,
  payment,
  now,
  attempt,
}) => {
  await makeAttempt(world.ctx, payment)
  const second = await makePayment(world.ctx, shop.owner)
  await makeAttempt(world.ctx, second)
  const third = await makePayment(world.ctx, shop.owner)
  world.ctx.clock.advance(8000)
  await makeAttempt(world.ctx, third)
  const { key } = world.provider.charges[0] ?? { key: '' }
  const { promise, resolve } = Promise.withResolvers<Reply>()
  world.provider.lookup = (request) => (request.key === key ? promise : Promise.resolve(refused()))
  await checkDue(world.ctx)
  await expect.poll(async () => (await latestAttempt(world.ctx, second)).status).toBe('failed')
  world.ctx.clock.advance(5000)
  await checkDue(world.ctx)
  await expect.poll(async () => (await latestAttempt(world.ctx, third)).status).toBe('failed')
  // A stop waits for the look-up.
  const drained = world.ctx.backgroundTasks.drain()
  resolve(paid((await attempt()).amount))
  await drained
  expect(await now()).toMatchObject({ status: 'completed' })
})

test('hanging look-ups use no more than their places, others stay due, and refunds have places of their own', async ({
  world,
  shop,
}) => {
  const refunded = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = async () => Promise.reject(unanswered())
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, refunded.id, {
    amount: 5,
    currency: 'USD',
  })
  const ctx = { ...world.ctx, lookupQueue: createLookupQueue() }
  await startCharges(ctx, shop, 90)
  const { promise, resolve } = Promise.withResolvers<Reply>()
  world.provider.lookup = () => promise
  world.provider.lookupRefund = async ({ key }) => paid(money(500n, 'USD'), key)
  world.ctx.clock.advance(10_000)
  for (let round = 0; round < 3; round += 1) await checkDue(ctx)
  await expect.poll(() => world.provider.lookups.length).toBe(80)
  const { rows } = await world.ctx.db.pool.query(
    'select count(*)::int as due from payment_attempts where next_check_at <= $1',
    [world.ctx.clock.now()],
  )
  expect(rows).toEqual([{ due: 10 }])
  await expect
    .poll(async () => (await paymentNow(world.ctx, shop.owner, refunded.id)).refunded)
    .toEqual(money(500n, 'USD'))
  resolve(refused())
  await world.ctx.backgroundTasks.drain()
  await lookUpDue(ctx)
  expect(world.provider.lookups).toHaveLength(90)
})
