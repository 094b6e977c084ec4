import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { KeyCache } from '../src/modules/applications/index.ts'
import { createPayment } from '../src/modules/payments/actions/create-payment.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { isDatabaseAway } from '../src/platform/db/failures.ts'
import { createHeavyReads } from '../src/platform/db/heavy-reads.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { makeApp, makeCaller } from './app.ts'
import { skipOnCitus } from './on-citus.ts'
import { order, test } from './two-merchants.ts'

test('of 200 concurrent searches of a merchant some are answered and the rest refused, and creates of another succeed', async ({
  app,
  calm,
  searchers,
}) => {
  await searchers.start(200)
  const areEnoughAnswered = async () => ((await searchers.count())['200'] ?? 0) > 20
  for (let made = 0; made < 450 || !(await areEnoughAnswered()); made += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/v1/payments',
      headers: calm.withKey,
      payload: order,
    })
    expect(statusCode).toBe(201)
  }
  // 503: searches that waited too long for a session, on a busy machine.
  const { '200': answered, '429': refused, '503': _overloaded, ...others } = await searchers.stop()
  expect([answered, refused]).toEqual([expect.any(Number), expect.any(Number)])
  expect(others).toEqual({})
})

test('a search that reaches the time limit of a statement has an error with the way to narrow it', async ({
  world,
  crowded,
}) => {
  const reads = createDatabase(world.ctx.databaseUrl, {
    maxConnections: 2,
    settings: ['statement_timeout=5'],
  })
  const hurried = await makeApp({ ...world.ctx, reads, heavyReads: createHeavyReads(reads) })
  const headers = crowded.withSession
  const answer = await hurried.inject({ url: '/v1/payments/all?search=7a&status=PENDING', headers })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({
    code: 'search_too_broad',
    detail: expect.stringContaining('Narrow your search'),
  })
  await hurried.close()
  await reads.close()
})

test('a list of more than 1,000 rows is refused', async ({ app, crowded }) => {
  const answer = await app.inject({ url: '/v1/payments/all?limit=1001', headers: crowded.withSession })
  expect(answer.statusCode).toBe(422)
})

test('sessions of dashboard reads cannot write', async ({ world }) => {
  await expect(
    world.ctx.reads.kysely.updateTable('applications').set({ name: 'x' }).execute(),
  ).rejects.toMatchObject({ code: '25006' })
})

test(
  'a call that finds 1,000 callers waiting for a session is answered 503 overloaded and writes nothing',
  skipOnCitus('the sessions of the coordinator are another pool, which has room'),
  async ({ world }) => {
    const db = simulateTime(createDatabase(world.ctx.databaseUrl, { maxConnections: 1 }), world.ctx.clock)
    const keyCache = new KeyCache()
    await keyCache.connect(world.ctx, world.ctx.databaseUrl)
    const narrow = await makeApp({ ...world.ctx, db }, keyCache)
    const caller = await makeCaller(world.ctx)
    const post = (key: string) =>
      narrow.inject({
        method: 'POST',
        url: '/api/v1/payments',
        headers: { ...caller.withKey, ...(key && { 'idempotency-key': key }) },
        payload: order,
      })
    const written = async () => {
      const { rows } = await world.ctx.db.pool.query(
        'select count(*)::int as payments, count(idempotency_checksum)::int as keys from payments where account_id = $1',
        [uuidOf(caller.merchantId)],
      )
      return rows[0]
    }
    // The key is cached from here on.
    const first = await post('')
    expect(first.statusCode).toBe(201)
    const payment = `/api/v1/payments/${first.json().id}`
    const held = await db.pool.connect()
    const waiting = Array.from({ length: 1000 }, () => db.pool.connect().then((client) => client.release()))
    for (const key of ['', 'order-1001']) {
      const refused = await post(key)
      expect(refused.statusCode).toBe(503)
      expect(refused.headers['retry-after']).toBe('1')
      expect(refused.json()).toMatchObject({ code: 'overloaded' })
    }
    const { withKey, withSession } = caller
    const someone = { email: 'rudo@example.com', password: 'long enough 1' }
    for (const [method, address, headers, payload] of [
      ['GET', payment, withKey, undefined],
      ['POST', `${payment}/cancel`, withKey, undefined],
      ['POST', '/api/v1/refunds', withKey, { payment: first.json().id }],
      ['POST', '/api/v1/webhooks', withKey, { url: 'https://merchant.test/events' }],
      ['POST', '/v1/applications/create', withSession, { name: 'Shop', category: 'Retail' }],
      ['POST', '/v1/auth/signin', {}, someone],
    ] as const) {
      const refused = await narrow.inject({ method, url: address, headers, ...(payload && { payload }) })
      expect([address, refused.statusCode, refused.headers['retry-after']]).toEqual([address, 503, '1'])
      expect([address, refused.json().code]).toEqual([address, 'overloaded'])
    }
    held.release()
    await Promise.all(waiting)
    expect(await written()).toEqual({ payments: 1, keys: 0 })
    const repeated = await post('order-1001')
    expect(repeated.statusCode).toBe(201)
    expect(repeated.headers).not.toHaveProperty('idempotency-replayed')
    expect(await written()).toEqual({ payments: 2, keys: 1 })
    await narrow.close()
    await keyCache.close()
    await db.close()
  },
)

test('creates beyond the queue of the writer are refused and not written, and all others are written', async ({
  world,
}) => {
  const db = simulateTime(createDatabase(world.ctx.databaseUrl, { maxConnections: 2 }), world.ctx.clock)
  const caller = await makeCaller(world.ctx)
  const held = [await db.pool.connect(), await db.pool.connect()]
  const creates = Array.from({ length: 2400 }, (_, nth) =>
    createPayment({ ...world.ctx, db }, caller.owner, order, {
      idempotencyKey: `order-${nth}`,
    }),
  )
  const settling = Promise.allSettled(creates)
  await pause(50)
  for (const client of held) client.release()
  const settled = await settling
  const refused = settled.filter((each) => each.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['overloaded']))
  const { rows } = await db.pool.query('select count(*)::int as count from payments where account_id = $1', [
    uuidOf(caller.merchantId),
  ])
  expect(rows[0].count).toBe(creates.length - refused.length)
  await db.close()
})

test(
  'a transaction that lasts longer than its time limit ends with its session',
  skipOnCitus('PostgreSQL has this limit since version 17'),
  async ({ world }) => {
    const db = createDatabase(world.ctx.databaseUrl, { maxConnections: 1, transactionMs: 200 })
    const slow = db.tx(async (tx) => {
      for (let round = 0; round < 20; round += 1) await sql`select pg_sleep(0.05)`.execute(tx)
    })
    const error: unknown = await slow.catch((thrown: unknown) => thrown)
    expect(isDatabaseAway(error), String(error)).toBe(true)
    expect((await sql<{ one: number }>`select 1 as one`.execute(db.kysely)).rows).toEqual([{ one: 1 }])
    await db.close()
  },
)
