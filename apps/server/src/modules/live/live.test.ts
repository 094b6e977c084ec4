import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import type { Tokens } from '@muripo/contract/auth'
import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import type { MerchantId, PaymentId } from '@muripo/contract/ids'
import { LiveNews } from '@muripo/contract/live'
import { createParser } from 'eventsource-parser'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApp } from '../../../test/app.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { KeyCache } from '../applications/index.ts'
import { makeSession } from '../identity/factory.ts'
import { makePaid, makePayment } from '../payments/factory.ts'
import { createLive, type Live } from './live.ts'

const BEAT_MS = 100
const PAUSE_MS = 20

let world: World
let live: Live
let app: FastifyInstance
let url: string
let shop: Shop
let tokens: Tokens
const readers: Reader[] = []

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())

beforeEach(async () => {
  live = createLive(world.ctx, { beatMs: BEAT_MS, pauseMs: PAUSE_MS })
  await live.connect(world.ctx.databaseUrl)
  app = await makeApp(world.ctx, new KeyCache(), live)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  // What is told next is not of the moment in which this process began to listen.
  world.ctx.clock.advance(LIVE_RETOLD_MS)
  shop = await makeShop(world.ctx)
  tokens = await makeSession(world.ctx, shop.merchantId)
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave()
  await live.close()
  await app.close()
  await world.ctx.inflight.drain()
})

interface Reader {
  readonly response: Response
  readonly news: LiveNews[]
  readonly beats: () => number
  readonly retryMs: () => number | undefined
  readonly ended: Promise<unknown>
  leave(): void
}

/** Opens a stream as the dashboard does, and keeps what comes. */
async function listenAs({ authToken }: Tokens): Promise<Reader> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/live`, {
    headers: { authorization: `Bearer ${authToken}` },
    signal: leaving.signal,
  })
  const news: LiveNews[] = []
  let beats = 0
  let retryMs: number | undefined
  const parser = createParser({
    onEvent({ event, data }) {
      expect(event).toBe('payments')
      news.push(LiveNews.parse(JSON.parse(data)))
    },
    onComment() {
      beats += 1
    },
    onRetry(ms) {
      retryMs = ms
    },
  })
  const ended = (async () => {
    const text = new TextDecoder()
    for await (const chunk of response.ok ? (response.body ?? []) : []) {
      parser.feed(text.decode(chunk, { stream: true }))
    }
  })()
  ended.catch(() => undefined)
  const reader = {
    response,
    news,
    beats: () => beats,
    retryMs: () => retryMs,
    ended,
    leave: () => leaving.abort(),
  }
  readers.push(reader)
  return reader
}

const tellAs = (merchantId: MerchantId, paymentIds: readonly PaymentId[], more = false) =>
  world.ctx.db.pool.query('select pg_notify($1, $2)', [
    'payments_changed',
    JSON.stringify({ merchantId: uuidOf(merchantId), paymentIds: paymentIds.map(uuidOf), more }),
  ])
const idsIn = (reader: Reader) =>
  reader.news.flatMap(({ payments }) => payments.map(({ paymentId }) => paymentId))

test('a new and a changed payment are told as the list shows them', async () => {
  const reader = await listenAs(tokens)
  const made = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [made.id])
  await expect.poll(() => reader.news.length).toBe(1)
  const { payments } = (
    await app.inject({ url: '/v1/payments/all', headers: { authorization: `Bearer ${tokens.authToken}` } })
  ).json()
  expect(reader.news).toEqual([{ payments, more: false }])
  const paid = await makePaid(world.ctx, shop.owner, world.provider)
  await tellAs(shop.merchantId, [paid.id])
  await expect
    .poll(() => reader.news[1]?.payments)
    .toMatchObject([{ paymentId: paid.id, status: 'COMPLETED' }])
})

test('the answer can be read on its way and by nobody kept', async () => {
  const reader = await listenAs(tokens)
  expect(reader.response.status).toBe(200)
  expect(Object.fromEntries(reader.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  })
  expect(reader.response.headers.has('content-encoding')).toBe(false)
  await expect.poll(reader.retryMs).toBe(1000)
  await expect.poll(reader.beats).toBeGreaterThan(2)
})

test('without a session nothing is opened', async () => {
  for (const authToken of ['', 'broken', tokens.refreshToken]) {
    const { response } = await listenAs({ ...tokens, authToken })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'session_invalid' })
  }
})

test('HEAD opens no stream that nobody reads', async () => {
  const response = await fetch(`${url}/v1/live`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${tokens.authToken}` },
  })
  expect(response.status).toBe(404)
})

test("another merchant's payments are not told, whatever the channel says", async () => {
  const other = await makeShop(world.ctx)
  const reader = await listenAs(tokens)
  const foreign = await makePayment(world.ctx, other.owner)
  const own = await makePayment(world.ctx, shop.owner)
  await tellAs(other.merchantId, [foreign.id])
  await tellAs(shop.merchantId, [foreign.id])
  await tellAs(shop.merchantId, [own.id])
  await expect.poll(() => idsIn(reader)).toEqual([own.id])
})

test('all streams of a merchant are told, and each once', async () => {
  const readers = [await listenAs(tokens), await listenAs(tokens)]
  const made = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [made.id])
  for (const reader of readers) await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('many changes at once are few events, and too many are not named', async () => {
  const reader = await listenAs(tokens)
  const made = await Promise.all(Array.from({ length: 60 }, () => makePayment(world.ctx, shop.owner)))
  const ids = made.map(({ id }) => id)
  for (const id of ids.slice(0, 20)) await tellAs(shop.merchantId, [id])
  await expect.poll(() => new Set(idsIn(reader)).size).toBe(20)
  expect(reader.news.length).toBeLessThan(10)
  reader.news.length = 0
  await tellAs(shop.merchantId, ids.slice(0, 50))
  await tellAs(shop.merchantId, ids.slice(50))
  await expect.poll(() => reader.news.at(-1)).toEqual({ payments: [], more: true })
  await tellAs(shop.merchantId, [], true)
  await expect.poll(() => reader.news.filter(({ more }) => more).length).toBe(2)
})

test('after a lost channel all are told to ask their lists, and hear again', async () => {
  const reader = await listenAs(tokens)
  const { rowCount } = await world.ctx.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'muripo-listen' and query like '%payments_changed%'`,
  )
  expect(rowCount).toBe(1)
  await expect.poll(() => reader.news).toEqual([{ payments: [], more: true }])
  const made = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [made.id])
  await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('what cannot be read on the channel is logged and harms nothing', async () => {
  const reader = await listenAs(tokens)
  for (const text of ['', 'null', '{"merchantId":"x"}']) {
    await world.ctx.db.pool.query('select pg_notify($1, $2)', ['payments_changed', text])
  }
  const made = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [made.id])
  await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('who opens a stream is told what was told just before, and nobody else is told it again', async () => {
  const early = await listenAs(tokens)
  const long = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [long.id])
  await expect.poll(() => idsIn(early)).toEqual([long.id])
  world.ctx.clock.advance(LIVE_RETOLD_MS)
  const justNow = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [justNow.id])
  await expect.poll(() => idsIn(early)).toEqual([long.id, justNow.id])
  const late = await listenAs(tokens)
  await expect.poll(() => idsIn(late)).toEqual([justNow.id])
  await expect.poll(late.beats).toBeGreaterThan(2)
  expect(idsIn(early)).toEqual([long.id, justNow.id])
})

test('a process that has only begun to listen tells who comes to ask the lists', async () => {
  const fresh = createLive(world.ctx)
  await fresh.connect(world.ctx.databaseUrl)
  const other = await makeApp(world.ctx, new KeyCache(), fresh)
  const before = url
  url = await other.listen({ host: '127.0.0.1', port: 0 })
  const reader = await listenAs(tokens)
  await expect.poll(() => reader.news).toEqual([{ payments: [], more: true }])
  // Each process hears for itself.
  const made = await makePayment(world.ctx, shop.owner)
  url = before
  const elsewhere = await listenAs(tokens)
  await tellAs(shop.merchantId, [made.id])
  for (const each of [reader, elsewhere]) await expect.poll(() => idsIn(each)).toEqual([made.id])
  await fresh.close()
  await other.close()
})

test('a stream ends soon after its session, and says nothing in between', async () => {
  const [reader, other] = [
    await listenAs(tokens),
    await listenAs(await makeSession(world.ctx, shop.merchantId)),
  ]
  const signedOut = await app.inject({
    method: 'POST',
    url: '/v1/auth/signout',
    headers: { authorization: `Bearer ${tokens.authToken}` },
  })
  expect(signedOut.statusCode).toBe(204)
  const made = await makePayment(world.ctx, shop.owner)
  await tellAs(shop.merchantId, [made.id])
  await reader.ended
  expect(reader.news).toEqual([])
  await expect.poll(() => idsIn(other)).toEqual([made.id])
})

test('a session that ends while nothing happens ends its stream at the next beat', async () => {
  const reader = await listenAs(tokens)
  await expect.poll(reader.beats).toBeGreaterThan(0)
  await world.ctx.db.pool.query(
    "update sessions set ended_at = now(), end_reason = 'refresh_reused' where ended_at is null",
  )
  await reader.ended
})

test('a stream ends when its token would be refused', async () => {
  world.ctx.clock.advance(10 * 60_000 + 30_000 - 300)
  const reader = await listenAs(tokens)
  expect(reader.response.status).toBe(200)
  const openedAt = performance.now()
  await reader.ended
  expect(performance.now() - openedAt).toBeLessThan(2000)
})

test('listening keeps no session alive', async () => {
  const lastUsedAt = async () => {
    const { rows } = await world.ctx.db.pool.query(
      'select last_used_at from sessions where merchant_id = $1',
      [uuidOf(shop.merchantId)],
    )
    return rows[0].last_used_at
  }
  const before = await lastUsedAt()
  world.ctx.clock.advance(5 * 60_000)
  const reader = await listenAs(tokens)
  await expect.poll(reader.beats).toBeGreaterThan(0)
  expect(await lastUsedAt()).toEqual(before)
  world.ctx.clock.advance(10 * 60_000)
  await reader.ended
})

test('a merchant has ten streams; of one session the oldest gives way, others are told to wait', async () => {
  const own = await listenAs(tokens)
  const others = await makeSession(world.ctx, shop.merchantId)
  for (let count = 1; count < 10; count += 1) await listenAs(others)
  const stranger = await listenAs(await makeSession(world.ctx, shop.merchantId))
  expect(stranger.response.status).toBe(429)
  expect(stranger.response.headers.get('retry-after')).toBe('30')
  expect(await stranger.response.json()).toMatchObject({ code: 'rate_limited' })
  const again = await listenAs(tokens)
  expect(again.response.status).toBe(200)
  await own.ended
  const elsewhere = await makeShop(world.ctx)
  const neighbour = await listenAs(await makeSession(world.ctx, elsewhere.merchantId))
  expect(neighbour.response.status).toBe(200)
  // A place is free again when its reader leaves.
  again.leave()
  const late = await makeSession(world.ctx, shop.merchantId)
  await expect.poll(async () => (await listenAs(late)).response.status).toBe(200)
})

/** A reader that takes nothing off its socket. */
async function deafReader() {
  const { port } = new URL(url)
  const socket = openSocket(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `GET /v1/live HTTP/1.1\r\nhost: gateway.test\r\nauthorization: Bearer ${tokens.authToken}\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.pause()
  return socket
}

const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

test('a reader that does not read is dropped, and nobody waits for it', async () => {
  const reader = await listenAs(tokens)
  const made = await Promise.all(
    Array.from({ length: 50 }, () => makePayment(world.ctx, shop.owner, { description: 'x'.repeat(500) })),
  )
  const deaf = await deafReader()
  const before = await connections()
  for (let round = 1; (await connections()) === before && round < 400; round += 1) {
    const heard = reader.news.length
    await tellAs(
      shop.merchantId,
      made.map(({ id }) => id),
    )
    await expect.poll(() => reader.news.length).toBeGreaterThan(heard)
  }
  expect(await connections()).toBe(before - 1)
  deaf.destroy()
})

test('a stop ends all streams, also of those who do not read', async () => {
  const reader = await listenAs(tokens)
  const deaf = await deafReader()
  const startedAt = performance.now()
  await live.close()
  await app.close()
  expect(performance.now() - startedAt).toBeLessThan(1500)
  await reader.ended
  deaf.destroy()
})
