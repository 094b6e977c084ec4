import { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../test/audit-entries.ts'
import { test as base } from '../../../test/fixtures.ts'
import { productionEnv } from '../../../test/production-env.ts'
import { testCtx } from '../../../test/test-ctx.ts'
import { parseConfig } from '../../platform/config.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { perGroup } from '../../platform/db/databases.ts'
import { listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { uuidOf } from '../../platform/ids.ts'
import { makeMerchant } from '../identity/factory.ts'
import { regenerateKey } from './actions/regenerate-key.ts'
import { applicationKeyAuth } from './authenticate.ts'
import { makeApplication } from './factory.ts'
import { accountHashIn, decryptKey, lookupOf, newKey } from './key.ts'
import { KeyCache } from './key-cache.ts'
import { findApplication, listByMerchant } from './store.ts'
import { findKeyOwner, type KeyOwner } from './store-keys.ts'

type Request = Parameters<ReturnType<typeof applicationKeyAuth>>[0]

const bearer = (key: string) => `Bearer ${key}`

const test = base
  .extend('here', async ({ world }, { onCleanup }) => {
    const here = new KeyCache()
    onCleanup(() => here.close())
    await here.connect(world.ctx, world.ctx.databaseUrl)
    return here
  })
  .extend('elsewhere', async ({ world }, { onCleanup }) => {
    const elsewhere = new KeyCache()
    onCleanup(() => elsewhere.close())
    await elsewhere.connect(world.ctx, world.ctx.databaseUrl)
    return elsewhere
  })
  .extend(
    'call',
    async ({ world }) =>
      (cache: KeyCache, authorization?: string): Promise<KeyOwner> =>
        applicationKeyAuth(world.ctx, cache)({ headers: { authorization }, ip: '127.0.0.1' } as Request),
  )
  .extend(
    'regenerate',
    async ({ world, shop: { merchantId, applicationId } }) =>
      () =>
        regenerateKey(
          world.ctx,
          byMerchant(merchantId),
          { merchantId, applicationId },
          async () => undefined,
        ),
  )
  .extend('storedKey', async ({ world, shop }) => async () => {
    const { rows } = await world.ctx.db.pool.query<{ encrypted: Buffer; lookup: Buffer }>(
      'select * from application_keys where application_id = $1 and revoked_at is null',
      [uuidOf(shop.applicationId)],
    )
    return rows[0] ?? { encrypted: Buffer.alloc(0), lookup: Buffer.alloc(0) }
  })
  /** Waits until a listener that connected after the caches has received a notification, so that the caches have too. */
  .extend('notified', async ({ world }) => async () => {
    const received = Promise.withResolvers<void>()
    const listener = await listen(
      world.ctx.databaseUrl,
      channels.applicationKeysChanged,
      { onMessage: (payload) => payload === 'marker' && received.resolve(), missed: () => undefined },
      world.ctx.log,
    )
    await sql`select pg_notify(${channels.applicationKeysChanged}, 'marker')`.execute(world.ctx.db.kysely)
    await received.promise
    await listener.close()
  })

describe('refused as invalid_key:', () => {
  const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

  test.for<[string, (key: string) => string | undefined]>([
    ['no header', () => undefined],
    ['another scheme', (key) => `Basic ${key}`],
    ['no key', () => 'Bearer '],
    ['a mistyped key', (key) => bearer(mistyped(key))],
    ['two keys', (key) => bearer(`${key} ${key}`)],
    ['a very long one', () => bearer('x'.repeat(5000))],
  ])('%s, without a query to the database', async ([, authorization], { world, shop, here, call }) => {
    const requested = vi.spyOn(world.ctx.db.pool, 'connect')
    await expect(call(here, authorization(shop.applicationKey))).rejects.toMatchObject({
      code: 'invalid_key',
      headers: { 'www-authenticate': expect.stringContaining('Bearer') },
    })
    expect(requested).not.toHaveBeenCalled()
  })

  test('a well formed key that was never issued', async ({ world, here, call }) => {
    await expect(
      call(here, bearer(newKey(world.ctx.ids, 'test', world.ctx.ids.next(AccountId)))),
    ).rejects.toMatchObject({
      code: 'invalid_key',
    })
  })

  test('a test key in production without a test account', async ({ world, shop, here }) => {
    const config = parseConfig(productionEnv)
    const request = { headers: { authorization: bearer(shop.applicationKey) }, ip: '127.0.0.1' } as Request
    await expect(applicationKeyAuth({ ...world.ctx, config }, here)(request)).rejects.toMatchObject({
      code: 'invalid_key',
    })
  })
})

test('on several nodes a key is found in the group of its account, and one of an earlier version in any', async ({
  world,
  shop,
}) => {
  const empty = await testCtx()
  const shard = { schema: 'shard_group_0', url: world.ctx.databaseUrl }
  const hash = accountHashIn(shop.applicationKey)
  const ctxsWith = (own: Ctx, other: Ctx) =>
    perGroup([
      { ...shard, low: -(2 ** 31), high: hash - 1 },
      { ...shard, low: hash, high: hash },
      { ...shard, low: hash + 1, high: 2 ** 31 - 1 },
    ])?.map(({ low, high }) => (low === high ? own : other))
  const request = { headers: { authorization: bearer(shop.applicationKey) }, ip: '127.0.0.1' } as Request
  const ownerIn = (ctx: Ctx, ctxs = ctxsWith(empty, empty)) =>
    applicationKeyAuth({ ...ctx, keys: world.ctx.keys }, new KeyCache(), ctxs)(request)
  try {
    expect(await ownerIn(empty, ctxsWith(world.ctx, empty))).toMatchObject({ accountId: shop.merchantId })
    expect(await ownerIn(world.ctx)).toMatchObject({ accountId: shop.merchantId })
    await expect(ownerIn(empty, ctxsWith(empty, world.ctx))).rejects.toMatchObject({ code: 'invalid_key' })
  } finally {
    await empty.close()
  }
})

test('the key of a stopped application is refused with its own code, and works again from the change on', async ({
  world,
  shop,
  here,
  call,
}) => {
  // Without a notification, which may arrive later than the next call.
  const setStatus = (status: string) =>
    world.ctx.db.pool.query('update applications set status = $2 where id = $1', [
      uuidOf(shop.applicationId),
      status,
    ])
  await setStatus('inactive')
  await expect(call(here, bearer(shop.applicationKey))).rejects.toMatchObject({
    code: 'application_inactive',
  })
  await setStatus('active')
  expect(await call(here, bearer(shop.applicationKey))).toMatchObject({ applicationId: shop.applicationId })
})

test("another merchant's application has no key to replace, nor has one that does not exist", async ({
  world,
  shop,
  here,
  call,
}) => {
  const { merchantId } = await makeMerchant(world.ctx)
  const regenerated = regenerateKey(
    world.ctx,
    byMerchant(merchantId),
    { merchantId, applicationId: shop.applicationId },
    async () => undefined,
  )
  await expect(regenerated).rejects.toMatchObject({ code: 'not_found' })
  expect(await call(here, bearer(shop.applicationKey))).toEqual(shop.owner)
})

test('a replaced key is refused immediately here and soon in every other process, and the new one works', async ({
  shop,
  here,
  elsewhere,
  call,
  regenerate,
}) => {
  for (const cache of [here, elsewhere]) await call(cache, bearer(shop.applicationKey))
  const fresh = await regenerate()
  expect(await call(elsewhere, bearer(fresh))).toMatchObject({ applicationId: shop.applicationId })
  for (const cache of [here, elsewhere]) {
    await expect
      .poll(() => call(cache, bearer(shop.applicationKey)).catch((error) => error.code), { interval: 5 })
      .toBe('invalid_key')
  }
})

test('a key that is replaced while it is being read is not cached', async ({
  world,
  shop,
  here,
  regenerate,
  notified,
}) => {
  const lookup = lookupOf(world.ctx.keys, shop.applicationKey)
  const find = () => findKeyOwner(world.ctx.db.kysely, lookup, 'test')
  const read = await here.ownerOf(shop.applicationKey, async () => {
    const owner = await find()
    await regenerate()
    await notified()
    return owner
  })
  expect(read).toEqual(shop.owner)
  await expect.poll(() => here.ownerOf(shop.applicationKey, find), { interval: 5 }).toBeNull()
})

test('ten concurrent replacements leave one valid key, and ten log lines without any key', async ({
  world,
  shop,
  call,
  regenerate,
}) => {
  const keys = await Promise.all(Array.from({ length: 10 }, regenerate))
  const answers = await Promise.allSettled(keys.map((key) => call(new KeyCache(), bearer(key))))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const auditEntries = await auditEntriesOn(world.ctx, shop.applicationId)
  expect(auditEntries.map(({ action }) => action)).toEqual(keys.map(() => 'application.key_regenerated'))
  for (const key of [shop.applicationKey, ...keys]) expect(JSON.stringify(auditEntries)).not.toContain(key)
})

test('without its channel a cache stores nothing', async ({ shop, here }) => {
  const alone = new KeyCache()
  const find = vi.fn(async () => shop.owner)
  for (let time = 0; time < 3; time += 1) await alone.ownerOf(shop.applicationKey, find)
  expect(find).toHaveBeenCalledTimes(3)
  for (let time = 0; time < 3; time += 1) await here.ownerOf(shop.applicationKey, find)
  expect(find).toHaveBeenCalledTimes(4)
})

test('a cached owner is read again after five seconds, with or without a notification', async ({
  world,
  shop,
  here,
}) => {
  const find = vi.fn(async () => shop.owner)
  for (let time = 0; time < 2; time += 1) await here.ownerOf(shop.applicationKey, find)
  world.ctx.clock.advance(4999)
  await here.ownerOf(shop.applicationKey, find)
  expect(find).toHaveBeenCalledTimes(1)
  world.ctx.clock.advance(1)
  await here.ownerOf(shop.applicationKey, find)
  expect(find).toHaveBeenCalledTimes(2)
})

test('no row of the database contains a key in plain text, or a hash that can be computed without the master key', async ({
  world,
  shop,
  storedKey,
}) => {
  const tables = ['applications', 'application_keys', 'events', 'payments']
  for (const table of tables) {
    const { rows } = await world.ctx.db.pool.query(
      `select row_to_json(t)::text as text from ${table} t where account_id = $1`,
      [uuidOf(shop.merchantId)],
    )
    for (const { text } of rows) {
      expect(text).not.toContain(shop.applicationKey)
      expect(text).not.toContain(Buffer.from(shop.applicationKey).toString('hex'))
    }
  }
  const { lookup, encrypted } = await storedKey()
  expect(encrypted.includes(shop.applicationKey)).toBe(false)
  expect(lookup).not.toEqual(await crypto.subtle.digest('SHA-256', Buffer.from(shop.applicationKey)))
})

test('an encrypted key can be decrypted for its own application only', async ({ world, shop, storedKey }) => {
  const { encrypted } = await storedKey()
  const sister = await makeApplication(world.ctx, shop.merchantId, 'Sister')
  expect(decryptKey(world.ctx.keys, shop.merchantId, shop.applicationId, encrypted)).toBe(shop.applicationKey)
  expect(() => decryptKey(world.ctx.keys, shop.merchantId, sister._id, encrypted)).toThrow(/Invariant/)
})

test('one merchant sees nothing of another', async ({ world, shop }) => {
  const { merchantId } = await makeMerchant(world.ctx)
  expect(await findApplication(world.ctx.db.kysely, merchantId, 'test', shop.applicationId)).toBeNull()
  expect(await listByMerchant(world.ctx.db.kysely, merchantId, 'test')).toEqual([])
})
