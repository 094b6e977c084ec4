import { CreatePayment } from '@muripo/contract/payments'
import { v7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { isDatabaseAway } from '../../../platform/db/failures.ts'
import { createDiskSpace } from '../../../platform/files/disk-space.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { registryOf } from '../../providers/registry.ts'
import { holdKey, makeAttempt, paymentNow } from '../factory.ts'
import { type IdempotentResponse, keyedRequest } from '../idempotency.ts'
import { findByKey } from '../payment/store-idempotency.ts'
import { createPayment } from './create-payment.ts'

const HOUR = 3_600_000

let world: World
let shop: Shop

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await makeShop(world.ctx)
})

const order = (change: object = {}) =>
  CreatePayment.parse({ amount: 12.5, currency: 'USD', description: 'Order 1001', ...change })

const create = (key: string | undefined, input = order(), owner = shop.owner): Promise<IdempotentResponse> =>
  createPayment(world.ctx, owner, input, { idempotencyKey: key })

async function paymentsMade(): Promise<number> {
  const { rows } = await world.ctx.db.pool.query(
    'select count(*)::int as made from payments where account_id = $1',
    [uuidOf(shop.accountId)],
  )
  return rows[0].made
}

describe('refused, with nothing created:', () => {
  test.each([
    ['currency', { currency: 'GBP' }, 'Must be a currency with a payment method: USD, ZWG, ZAR'],
    ['capture', { capture: 'manual', method: 'visa' }, 'Visa/Mastercard cannot be captured later'],
  ])('a %s that no method can take', async (field, change, message) => {
    await expect(create(undefined, order(change))).rejects.toMatchObject({ fields: [{ field, message }] })
    expect(await paymentsMade()).toBe(0)
  })

  test('an amount that no method can take, and a payment without any method', async () => {
    const { connector } = world.provider
    const least = { minor: 100_000n, currency: 'USD' } as const
    const limited = { ...connector, limits: { USD: { least, most: null } } }
    const withOnly = (...connectors: (typeof connector)[]) =>
      createPayment({ ...world.ctx, providers: registryOf(connectors) }, shop.owner, order())
    await expect(withOnly(limited)).rejects.toMatchObject({
      fields: [{ field: 'amount', message: expect.stringContaining('at least USD 1000.00') }],
    })
    await expect(withOnly()).rejects.toMatchObject({
      fields: [
        { field: 'currency', message: expect.stringContaining('this gateway has none for test keys') },
      ],
    })
    expect(await paymentsMade()).toBe(0)
  })

  test.each(['', '""', 'with space', 'tab\there', 'é', 'x'.repeat(256)])('the key %j', async (key) => {
    await expect(create(key)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'Idempotency-Key' }],
    })
    expect(await paymentsMade()).toBe(0)
  })

  test.each([
    ['another amount', { amount: 12.51 }],
    ['another currency', { currency: 'ZWG' }],
    ['one field more', { reference: 'A1' }],
    ['other metadata', { metadata: { order: '1' } }],
  ])('a known key with %s', async (_what, change) => {
    await create('k1')
    await expect(create('k1', order(change))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(await paymentsMade()).toBe(1)
  })

  test.each(['success_url', 'cancel_url'])('in production a %s without https', async (field) => {
    const production = { ...world.ctx, config: { ...world.ctx.config, mode: 'production' as const } }
    const plain = order({ [field]: 'http://shop.example/thanks' })
    await expect(createPayment(production, shop.owner, plain)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field, message: 'Must be an https address' }],
    })
    expect(await paymentsMade()).toBe(0)
  })

  test('any new request while the disk is nearly full', async () => {
    const disk = createDiskSpace(world.ctx.config, world.ctx.log, async () => 0)
    await disk.measure()
    for (const idempotencyKey of ['k2', undefined])
      await expect(
        createPayment({ ...world.ctx, disk }, shop.owner, order(), { idempotencyKey }),
      ).rejects.toMatchObject({ code: 'storage_low' })
    expect(await paymentsMade()).toBe(0)
  })

  test('a request whose key another request holds for longer than the wait of a session', async () => {
    const holder = await world.ctx.db.pool.connect()
    try {
      await holder.query('begin')
      await holdKey(holder, shop.owner, 'slow')
      await expect(create('slow')).rejects.toMatchObject({
        code: 'idempotency_in_flight',
        headers: { 'retry-after': '1' },
      })
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await paymentsMade()).toBe(0)
    expect((await create('slow')).replayed).toBe(false)
  })

  test('a cached key that was replaced, or a cached application that was stopped', async () => {
    const { pool } = world.ctx.db
    const id = uuidOf(shop.applicationId)
    await pool.query("update applications set status = 'inactive' where id = $1", [id])
    await expect(create('k1')).rejects.toMatchObject({ code: 'application_inactive' })
    await pool.query('update application_keys set revoked_at = now() where application_id = $1', [id])
    await expect(create('k1')).rejects.toMatchObject({ code: 'invalid_key' })
    await expect(create(undefined)).rejects.toMatchObject({ code: 'invalid_key' })
    expect(await paymentsMade()).toBe(0)
  })
})

test('50 equal requests at once are one payment and one response, 49 times marked as replayed', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create('rush')))
  expect(new Set(answers.map(({ json }) => json)).size).toBe(1)
  expect(answers.filter(({ replayed }) => replayed)).toHaveLength(49)
  expect(await paymentsMade()).toBe(1)
})

test('of two different requests, sent 25 times each at once, one is created and the other refused', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => create('rush', order({ amount: 1 + (index % 2) }))),
  )
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  expect(refusals).toEqual(Array.from({ length: 25 }, () => 'idempotency_mismatch'))
  expect(await paymentsMade()).toBe(1)
})

test('a key matches with quotes and without, and with fields in another order', async () => {
  const first = await create('"order-1"', order({ reference: 'A1' }))
  const again = await create('order-1', CreatePayment.parse({ reference: 'A1', ...order() }))
  expect(again).toEqual({ ...first, replayed: true })
})

test('a response names the methods that can take the payment, and a repeated request the same ones after a change of routes', async () => {
  const first = await create('routes')
  expect(JSON.parse(first.json)).toMatchObject({ methods: ['ecocash'] })
  const without = { ...world.ctx, providers: registryOf([]) }
  const again = await createPayment(without, shop.owner, order(), { idempotencyKey: 'routes' })
  expect(again).toEqual({ json: first.json, replayed: true })
})

test('a repeated request receives the first response to the byte after the payment was paid', async () => {
  const named = { email: 'tendai@example.com', name: 'Tendai Moyo' }
  const metadata = { till: '3', 2: 'two', order: '10482', constructor: 'x' }
  const input = order({ customer: named, metadata, expires_in: 3600 })
  const first = await create('paid', input)
  const payment = await paymentNow(world.ctx, shop.owner, JSON.parse(first.json).id)
  await makeAttempt(world.ctx, payment, '0771234567')
  world.ctx.clock.advance(HOUR)
  const reversed = Object.fromEntries(Object.entries(metadata).reverse())
  const again = await create('paid', order({ expires_in: 3600, metadata: reversed, customer: named }))
  expect(again).toEqual({ ...first, replayed: true })
  expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ method: 'ecocash' })
})

test('a repeated request receives the first response while new requests are refused for the disk or for the routes', async () => {
  const input = order({ capture: 'manual', customer: { phone: '0771234567' } })
  const first = await create('kept', input)
  const disk = createDiskSpace(world.ctx.config, world.ctx.log, async () => 0)
  await disk.measure()
  const providers = new Proxy(world.ctx.providers, {
    get: (from, name) =>
      name === 'offeredIn'
        ? () => ({ refuseRealNumber: () => 'No', methodsIn: () => [], routeFor: () => [] })
        : Reflect.get(from, name),
  })
  for (const changed of [{ disk }, { providers }]) {
    const repeat = (idempotencyKey: string, sent = input) =>
      createPayment({ ...world.ctx, ...changed }, shop.owner, sent, { idempotencyKey })
    expect(await repeat('kept')).toEqual({ ...first, replayed: true })
    await expect(repeat('kept', { ...input, amount: 99 })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
    await expect(repeat('new')).rejects.toMatchObject({
      code: expect.stringMatching(/storage_low|validation_failed/),
    })
  }
  expect(await paymentsMade()).toBe(1)
})

test('[INV-02] a key is stored for thirty days and is free then, also under concurrent requests', async () => {
  const first = await create('day')
  world.ctx.clock.advance(30 * 24 * HOUR)
  expect(await create('day')).toEqual({ ...first, replayed: true })
  // The tolerance of the database for the clock that the creation time comes from.
  world.ctx.clock.advance(30_000)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('day', order({ amount: 99 }))))
  expect(new Set(answers.map(({ json }) => json)).size).toBe(1)
  expect(answers[0]?.json).not.toBe(first.json)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await paymentsMade()).toBe(2)
})

test('a key that another process deletes while it is requested again is free', async () => {
  const first = await create('edge')
  world.ctx.clock.advance(30 * 24 * HOUR + 30_000)
  const { db } = world.ctx
  // The key is freed between the refused insert and the read of its payment.
  const query = vi.spyOn(db.pool, 'query').mockImplementationOnce(async (...given: unknown[]) => {
    const result = await db.pool.query(...(given as [string]))
    const keyed = keyedRequest(shop.owner, 'edge', order())
    if (keyed) await findByKey(db.kysely, 'payments', shop.owner, keyed)
    return result
  })
  const again = await createPayment(world.ctx, shop.owner, order(), { idempotencyKey: 'edge' })
  expect(query).toHaveBeenCalledTimes(3)
  expect(again).toMatchObject({ replayed: false })
  expect(again.json).not.toBe(first.json)
})

test('[invariant] a payment keeps its key for thirty days, and no other payment takes its place', async () => {
  await create('kept')
  const change = (to: string) =>
    world.ctx.db.pool.query(`update payments set ${to} where account_id = $1`, [uuidOf(shop.accountId)])
  const free = 'idempotency_checksum = null, request_checksum = null'
  await expect(change(free)).rejects.toThrow('does not change')
  await expect(change('request_checksum = id')).rejects.toThrow('does not change')
  await expect(change('idempotency_checksum = id')).rejects.toThrow('does not change')
  world.ctx.clock.advance(30 * 24 * HOUR + 30_000)
  await expect(change('idempotency_checksum = id')).rejects.toThrow('does not change')
  await change(free)
})

test.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])(
  '[INV-31] a process whose clock is an hour %s creates nothing, with a key and without, alone and in a batch',
  async (_how, ms) => {
    const id = (prefix: string) => idFrom({ prefix }, v7({ msecs: world.ctx.clock.now().getTime() + ms }))
    const ids = { ...world.ctx.ids, next: ({ prefix }: { prefix: string }) => id(prefix) }
    const skewed = { ...world.ctx, ids: ids as typeof world.ctx.ids }
    const requests = [undefined, 'k1', 'k2', 'k3'].map((key) =>
      createPayment(skewed, shop.owner, order(), { idempotencyKey: key }),
    )
    for (const result of await Promise.allSettled(requests))
      expect(result).toMatchObject({ reason: { code: 'service_unavailable' } })
    expect(await paymentsMade()).toBe(0)
    expect(await create('k1')).toMatchObject({ replayed: false })
  },
)

test('a key belongs to one application: neither to its sister nor to another merchant', async () => {
  const sister = await makeShop(world.ctx, shop.merchantId)
  const other = await makeShop(world.ctx, (await makeMerchant(world.ctx)).merchantId)
  const answers = [
    await create('mine'),
    await create('mine', order({ amount: 2 }), sister.owner),
    await create('mine', order({ amount: 3 }), other.owner),
  ]
  expect(answers.map(({ replayed }) => replayed)).toEqual([false, false, false])
})

test('without a key every request is a payment', async () => {
  await Promise.all([create(undefined), create(undefined)])
  expect(await paymentsMade()).toBe(2)
})

test('a payment expires after a day, or at the requested time', async () => {
  const at = world.ctx.clock.now().getTime()
  const lives = [order(), order({ expires_in: 1800 })].map(async (input) =>
    JSON.parse((await create(undefined, input)).json),
  )
  const [day, halfHour] = await Promise.all(lives)
  expect(Date.parse(day.expires_at) - at).toBe(24 * HOUR)
  expect(Date.parse(halfHour.expires_at) - at).toBe(HOUR / 2)
})

test('64 connections send one key while database sessions are killed: one payment, and one response for every successful call', async () => {
  const { pool } = world.ctx.db
  let done = false
  const kill = async () => {
    while (!done) {
      await pool
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() order by random() limit 2`,
        )
        .catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const request = async (): Promise<IdempotentResponse> => {
    for (;;) {
      try {
        return await create('rush')
      } catch (error) {
        // A merchant's server repeats the request with the same key after a 503.
        if (!isDatabaseAway(error) && (error as { code?: string }).code !== 'idempotency_in_flight')
          throw error
      }
    }
  }
  const killing = kill()
  const answers = await Promise.all(Array.from({ length: 64 }, request)).finally(() => {
    done = true
  })
  await killing
  expect(new Set([...answers, await request()].map(({ json }) => json)).size).toBe(1)
  await expect.poll(() => paymentsMade().catch(() => null)).toBe(1)
})
