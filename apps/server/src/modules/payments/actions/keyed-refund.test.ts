import { CreateRefund } from '@muripo/contract/refunds'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freshShop, makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { CALL_LEASE_MS } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { makePaid, paid, pending } from '../factory.ts'
import type { IdempotentResponse } from '../idempotency.ts'
import type { Payment } from '../payment/payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './request-refund.ts'

const LIFE_MS = 30 * 24 * 60 * 60_000

let world: World
let shop: Shop
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await freshShop(world)
  payment = await makePaid(world.ctx, shop.owner, world.provider)
})

const request = (key: string, change: object = {}, ctx: PaymentsCtx = world.ctx, owner = shop.owner) =>
  createRefund(ctx, owner, CreateRefund.parse({ payment: payment.id, amount: 5, ...change }), {
    idempotencyKey: key,
  })

async function refundsMade(): Promise<{ made: number; keyed: number }> {
  const { rows } = await world.ctx.db.pool.query(
    'select count(*)::int as made, count(idempotency_checksum)::int as keyed from refunds where account_id = $1',
    [uuidOf(shop.accountId)],
  )
  return rows[0]
}

test('a refund under a key is opened once, and its first response is repeated to the byte after it has changed', async () => {
  world.provider.refund = async () => pending()
  const first = await request('k')
  expect(first).toMatchObject({ replayed: false })
  await world.ctx.db.pool.query('update refunds set reason = $2 where account_id = $1', [
    uuidOf(shop.accountId),
    'another',
  ])
  expect(await request('k')).toEqual({ ...first, replayed: true })
  expect(await request('"k"')).toEqual({ ...first, replayed: true })
  expect(await refundsMade()).toEqual({ made: 1, keyed: 1 })
})

test('a key with another body is refused, of the same payment or of another one, also both at once', async () => {
  await request('k')
  const other = await makePaid(world.ctx, shop.owner, world.provider)
  for (const change of [{ amount: 6 }, { reason: 'torn' }, { payment: other.id }])
    await expect(request('k', change)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  const results = await Promise.allSettled([request('rush'), request('rush', { payment: other.id })])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'idempotency_mismatch' },
  })
  expect(await refundsMade()).toEqual({ made: 2, keyed: 2 })
})

test('a key belongs to one kind of request of one application', async () => {
  const order = { amount: 5, currency: 'USD', description: 'Order' } as const
  await createPayment(world.ctx, shop.owner, order, { idempotencyKey: 'k' })
  expect(await request('k')).toMatchObject({ replayed: false })
  const sister = await makeShop(world.ctx, shop.merchantId)
  const theirs = await makePaid(world.ctx, sister.owner, world.provider)
  expect(await request('k', { payment: theirs.id }, world.ctx, sister.owner)).toMatchObject({
    replayed: false,
  })
})

test('a replaced key and a stopped application open nothing, and leave the Idempotency-Key free', async () => {
  const { pool } = world.ctx.db
  const application = uuidOf(shop.applicationId)
  await pool.query("update applications set status = 'inactive' where id = $1", [application])
  await expect(request('k')).rejects.toMatchObject({ code: 'application_inactive' })
  await pool.query('update application_keys set revoked_at = now() where application_id = $1', [application])
  await expect(request('k')).rejects.toMatchObject({ code: 'invalid_key' })
  expect(await refundsMade()).toEqual({ made: 0, keyed: 0 })
})

describe('a process that has opened a refund', () => {
  /** A request whose provider answers when the test says so. */
  async function waiting(): Promise<{ late: Promise<IdempotentResponse>; answer: () => void }> {
    const reply = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    world.provider.refund = async ({ amount }) => {
      started.resolve()
      await reply.promise
      return paid(amount, 'RF1')
    }
    const late = request('k')
    await started.promise
    return { late, answer: reply.resolve }
  }
  /** Another process knows nothing of the call that this one has begun. */
  const elsewhere = () => ({
    ...world.ctx,
    refundSingleflight: { ...world.ctx.refundSingleflight, join: async () => {} },
  })

  test('keeps the same request waiting until its lease ends; then another process answers, and both return that response', async () => {
    const { late, answer } = await waiting()
    world.ctx.clock.advance(CALL_LEASE_MS - 1)
    await expect(request('k', {}, elsewhere())).rejects.toMatchObject({
      code: 'idempotency_in_flight',
      headers: { 'retry-after': '1' },
    })
    world.ctx.clock.advance(1)
    const again = await request('k', {}, elsewhere())
    expect(JSON.parse(again.json)).toMatchObject({ status: 'pending' })
    answer()
    expect((await late).json).toBe(again.json)
    expect(await request('k')).toEqual({ ...again, replayed: true })
    expect(await refundsMade()).toEqual({ made: 1, keyed: 1 })
  })

  test('changes neither the lease nor the life of the key when its clock is wrong by a month', async () => {
    const first = await request('k')
    const clock = { now: () => new Date(world.ctx.clock.now().getTime() + 2 * LIFE_MS) }
    expect(await request('k', {}, { ...world.ctx, clock })).toEqual({ ...first, replayed: true })
  })
})

test('after thirty days a key is free, also when its first request was never answered', async () => {
  const first = await request('answered')
  vi.spyOn(world.provider, 'refund').mockRejectedValueOnce(new Error('the process ended here'))
  await request('never').catch(() => {})
  await world.ctx.db.pool.query(
    "update refunds set response = null where account_id = $1 and response not like '%completed%'",
    [uuidOf(shop.accountId)],
  )
  world.ctx.clock.advance(LIFE_MS)
  expect((await request('answered')).json).toBe(first.json)
  world.ctx.clock.advance(30_000)
  const again = await Promise.all(['answered', 'never'].map((key) => request(key, { amount: 1 })))
  expect(again.map(({ replayed }) => replayed)).toEqual([false, false])
  expect(await refundsMade()).toEqual({ made: 4, keyed: 2 })
})

test('[invariant] a refund keeps its key for thirty days', async () => {
  await request('kept')
  const change = (to: string) =>
    world.ctx.db.pool.query(`update refunds set ${to} where account_id = $1`, [uuidOf(shop.accountId)])
  const free = 'idempotency_checksum = null, request_checksum = null'
  await expect(change(free)).rejects.toThrow('does not change')
  await expect(change('idempotency_checksum = id')).rejects.toThrow('does not change')
  world.ctx.clock.advance(LIFE_MS + 30_000)
  await change(free)
})
