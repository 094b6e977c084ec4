import { RefundId } from '@muripo/contract/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { executeIdempotent, type IdempotentOperation } from './idempotency.ts'
import { idempotencyPruner } from './jobs.ts'
import { keyedRequest } from './keyed-request.ts'

const SECOND = 1000
const THIRTY_DAYS = 30 * 24 * 60 * 60 * SECOND

let world: World
let shop: Shop

beforeAll(async () => {
  world = await makeWorld()
  await world.ctx.db.pool.query('create table done (id uuid primary key, shop uuid not null)')
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await makeShop(world.ctx)
})

/** An operation with a commit and a later response, as a refund has. Its responses differ, so that a replay is visible. */
function operation(change: Partial<IdempotentOperation<'rfd'>> = {}): IdempotentOperation<'rfd'> {
  let answers = 0
  return {
    kind: RefundId,
    responseMs: 60_000,
    commit: (id, claim) =>
      world.ctx.db.tx(async (tx) => {
        await claim(tx)
        await tx
          .insertInto('done' as never)
          .values({ id: uuidOf(id), shop: uuidOf(shop.merchantId) } as never)
          .execute()
      }),
    respond: async (id) => {
      answers += 1
      return { status: 201, json: JSON.stringify({ id, answers }) }
    },
    ...change,
  }
}

const ask = (key: string | undefined, does = operation(), input: object = { amount: 5 }) =>
  executeIdempotent(world.ctx, shop.owner, keyedRequest(key, 'POST /refunds', { sent: input, input }), does)

async function count(table: string, column: string): Promise<number> {
  const { rows } = await world.ctx.db.pool.query(
    `select count(*)::int as count from ${table} where ${column} = $1`,
    [uuidOf(shop.merchantId)],
  )
  return rows[0].count
}
const done = () => count('done', 'shop')
const known = () => count('idempotency_keys', 'account_id')

const died = async () => {
  throw new Error('the process ended here')
}

test('an operation under a key runs once, and its response is repeated to the byte', async () => {
  const first = await ask('k')
  expect(first).toMatchObject({ status: 201, replayed: false })
  expect(await ask('k')).toEqual({ ...first, replayed: true })
  expect(await ask('"k"')).toEqual({ ...first, replayed: true })
  expect(await done()).toBe(1)
})

test('an operation without a key runs each time', async () => {
  await Promise.all([ask(undefined), ask(undefined)])
  expect([await done(), await known()]).toEqual([2, 0])
})

test('a key with another body, or another call, is refused, whether the first was answered or not', async () => {
  await ask('answered')
  await expect(ask('running', operation({ respond: died }))).rejects.toThrow()
  for (const key of ['answered', 'running']) {
    await expect(ask(key, operation(), { amount: 6 })).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    const elsewhere = keyedRequest(key, 'POST /webhooks', { sent: { amount: 5 }, input: { amount: 5 } })
    await expect(executeIdempotent(world.ctx, shop.owner, elsewhere, operation())).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
  }
  expect(await done()).toBe(2)
})

test('64 concurrent requests with one key run the operation once, and all receive the first response', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 64 }, () => ask('rush')))
  const given = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(new Set(given.map(({ json }) => json)).size).toBe(1)
  expect(given.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(refused).isSubsetOf(new Set(['idempotency_in_flight']))).toBe(true)
  expect((await ask('rush')).json).toBe(given[0]?.json)
  expect(await done()).toBe(1)
})

describe('a process that ends', () => {
  test('before the commit leaves nothing of the key', async () => {
    const commit: IdempotentOperation<'rfd'>['commit'] = (_id, claim) =>
      world.ctx.db.tx(async (tx) => {
        await claim(tx)
        await died()
      })
    await expect(ask('k', operation({ commit }))).rejects.toThrow('ended here')
    expect([await done(), await known()]).toEqual([0, 0])
    expect(await ask('k')).toMatchObject({ replayed: false })
  })

  test('after the commit keeps others waiting for a minute; then the same is answered by another', async () => {
    await expect(ask('k', operation({ respond: died }))).rejects.toThrow('ended here')
    world.ctx.clock.advance(60 * SECOND - 1)
    await expect(ask('k')).rejects.toMatchObject({
      code: 'idempotency_in_flight',
      headers: { 'retry-after': '1' },
    })
    world.ctx.clock.advance(1)
    const answer = await ask('k')
    const { rows } = await world.ctx.db.pool.query('select id from done where shop = $1', [
      uuidOf(shop.merchantId),
    ])
    expect(rows.map(({ id }) => id)).toEqual([uuidOf(JSON.parse(answer.json).id)])
    expect(await ask('k')).toEqual({ ...answer, replayed: true })
  })
})

test('a process that is late with its answer gives that of the one that answered for it', async () => {
  let answerLate = () => {}
  const isLate = new Promise<void>((resolve) => {
    answerLate = resolve
  })
  let started = () => {}
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve
  })
  const late = ask(
    'k',
    operation({
      respond: async () => {
        started()
        await isLate
        return { status: 201, json: '{"late":true}' }
      },
    }),
  )
  await hasStarted
  world.ctx.clock.advance(60 * SECOND)
  const { json } = await ask('k')
  answerLate()
  expect((await late).json).toBe(json)
  expect((await ask('k')).json).toBe(json)
})

test('a replaced key and a stopped application do nothing, and no key is known by it', async () => {
  const { pool } = world.ctx.db
  const application = uuidOf(shop.applicationId)
  await pool.query("update applications set status = 'inactive' where id = $1", [application])
  await expect(ask('k')).rejects.toMatchObject({ code: 'application_inactive' })
  await pool.query('update application_keys set revoked_at = now() where application_id = $1', [application])
  await expect(ask('k')).rejects.toMatchObject({ code: 'invalid_key' })
  expect([await done(), await known()]).toEqual([0, 0])
})

test('a key is its application’s own', async () => {
  const sister = await makeShop(world.ctx, shop.merchantId)
  await ask('k')
  const theirs = await executeIdempotent(
    world.ctx,
    sister.owner,
    keyedRequest('k', 'POST /refunds', { sent: { amount: 7 }, input: { amount: 7 } }),
    operation(),
  )
  expect(theirs.replayed).toBe(false)
})

test('the same body is the same request although a later release reads more into it, and in any order of its fields', async () => {
  const sent = { amount: 7, metadata: { a: '1', b: '2' } }
  const again = { metadata: { b: '2', a: '1' }, amount: 7 }
  const request = (body: object, input: object) =>
    executeIdempotent(
      world.ctx,
      shop.owner,
      keyedRequest('k', 'POST /refunds', { sent: body, input }),
      operation(),
    )
  const first = await request(sent, sent)
  expect(await request(again, { ...again, capture: 'automatic' })).toEqual({ ...first, replayed: true })
  await expect(request({ ...sent, amount: 8 }, { ...sent, amount: 8 })).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  })
})

test('a key whose request was hashed as an earlier release read it is recognised', async () => {
  const read = { amount: 7, reason: null }
  const first = await executeIdempotent(
    world.ctx,
    shop.owner,
    keyedRequest('k', 'POST /refunds', { sent: read, input: read }),
    operation(),
  )
  const now = keyedRequest('k', 'POST /refunds', { sent: { amount: 7 }, input: read })
  expect(await executeIdempotent(world.ctx, shop.owner, now, operation())).toEqual({
    ...first,
    replayed: true,
  })
})

test('[INV-31] a process whose clock is wrong by an hour recognises a key, its lease and its age as every other', async () => {
  const ahead = {
    ...world.ctx,
    clock: { now: () => new Date(world.ctx.clock.now().getTime() + 31 * THIRTY_DAYS) },
  }
  const first = await ask('k')
  const again = await executeIdempotent(
    ahead,
    shop.owner,
    keyedRequest('k', 'POST /refunds', { sent: { amount: 5 }, input: { amount: 5 } }),
    operation(),
  )
  expect(again).toEqual({ ...first, replayed: true })
  await idempotencyPruner(ahead)()
  expect(await known()).toBe(1)
})

test('after thirty days a key is free, also when its first request was never answered', async () => {
  const first = await ask('answered')
  await expect(ask('never', operation({ respond: died }))).rejects.toThrow()
  world.ctx.clock.advance(THIRTY_DAYS - 1)
  expect((await ask('answered')).json).toBe(first.json)
  world.ctx.clock.advance(1)
  const again = await Promise.all(['answered', 'never'].map((key) => ask(key, operation(), { amount: 8 })))
  expect(again.map(({ replayed }) => replayed)).toEqual([false, false])
  expect(await done()).toBe(4)
})

test('answers are deleted after thirty days and not before, in rounds of bounded size that go on where the last one ended', async () => {
  const prune = idempotencyPruner(world.ctx)
  await world.ctx.db.pool.query(
    `insert into idempotency_keys (account_id, application_id, key, request_hash, subject_id, status, answer, created_at)
     select $1, $2, 'old-' || n, sha256('x'), uuidv7(), 201, repeat('x', 1800), $3 from generate_series(1, 3000) n`,
    [uuidOf(shop.merchantId), uuidOf(shop.applicationId), world.ctx.clock.now()],
  )
  world.ctx.clock.advance(THIRTY_DAYS - 1)
  await ask('young')
  const before = await known()
  for (let round = 0; round < 3; round += 1) await prune()
  expect(await known()).toBe(before)

  world.ctx.clock.advance(1)
  const left: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([prune(), round === 0 ? ask('old-1', operation(), { amount: 9 }) : null])
    left.push(await known())
  }
  expect(left[0]).toBeGreaterThan(500)
  expect(left[0]).toBeLessThan(before)
  expect(left.at(-1)).toBe(2)
})
