import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import { expect, test } from 'vitest'
import { makeApp } from '../../../test/app.ts'
import { idsIn, useStreams } from '../../../test/streams.ts'
import { makeShop } from '../../../test/world.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { KeyCache } from '../applications/index.ts'
import { makePaid, makePayment } from '../payments/factory.ts'
import { createLive } from './live.ts'

const streams = useStreams()

test('a new and a changed payment are published like rows of the list', async () => {
  const reader = await streams.listenAs(streams.tokens)
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [made.id])
  await expect.poll(() => reader.updates.length).toBe(1)
  const { payments } = (
    await streams.app.inject({
      url: '/v1/payments/all',
      headers: { authorization: `Bearer ${streams.tokens.authToken}` },
    })
  ).json()
  expect(reader.updates).toEqual([{ payments, more: false }])
  const paid = await makePaid(streams.world.ctx, streams.shop.owner, streams.world.provider)
  await streams.publishAs(streams.shop.accountId, [paid.id])
  await expect
    .poll(() => reader.updates[1]?.payments)
    .toMatchObject([{ paymentId: paid.id, status: 'COMPLETED' }])
})

test('the response is not compressed, and no cache stores it', async () => {
  const reader = await streams.listenAs(streams.tokens)
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

test("another merchant's payments are not published, whatever the channel contains", async () => {
  const other = await makeShop(streams.world.ctx)
  const reader = await streams.listenAs(streams.tokens)
  const foreign = await makePayment(streams.world.ctx, other.owner)
  const own = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(other.accountId, [foreign.id])
  await streams.publishAs(streams.shop.accountId, [foreign.id])
  await streams.publishAs(streams.shop.accountId, [own.id])
  await expect.poll(() => idsIn(reader)).toEqual([own.id])
})

test('every stream of a merchant receives an update once', async () => {
  const readers = [await streams.listenAs(streams.tokens), await streams.listenAs(streams.tokens)]
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [made.id])
  for (const reader of readers) await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('many concurrent changes are few events, and too many are sent without ids', async () => {
  const reader = await streams.listenAs(streams.tokens)
  const made = await Promise.all(
    Array.from({ length: 60 }, () => makePayment(streams.world.ctx, streams.shop.owner)),
  )
  const ids = made.map(({ id }) => id)
  // The notifications of one commit arrive together: the others are pending while the first one is published.
  await streams.publishTogether(
    streams.shop.accountId,
    ids.slice(0, 20).map((id) => [id]),
  )
  await expect.poll(() => new Set(idsIn(reader)).size).toBe(20)
  expect(reader.updates.length).toBeLessThan(10)
  reader.updates.length = 0
  await streams.publishTogether(streams.shop.accountId, [ids.slice(0, 1), ids.slice(0, 50), ids.slice(50)])
  await expect.poll(() => reader.updates.at(-1)).toEqual({ payments: [], more: true })
  await streams.publishAs(streams.shop.accountId, [], true)
  await expect.poll(() => reader.updates.filter(({ more }) => more).length).toBe(2)
})

test('after a lost channel all streams have to refetch, and receive updates again', async () => {
  const reader = await streams.listenAs(streams.tokens)
  const { rowCount } = await streams.world.ctx.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'muripo-listen' and query like '%payments_changed%'`,
  )
  expect(rowCount).toBe(1)
  await expect.poll(() => reader.updates).toEqual([{ payments: [], more: true }])
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [made.id])
  await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('an unreadable notification is logged and changes nothing', async () => {
  const reader = await streams.listenAs(streams.tokens)
  for (const text of ['', 'null', '{"accountId":"x"}']) {
    await streams.world.ctx.db.pool.query('select pg_notify($1, $2)', [channels.paymentsChanged, text])
  }
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [made.id])
  await expect.poll(() => idsIn(reader)).toEqual([made.id])
})

test('a new stream receives the recent updates, and no other stream receives them again', async () => {
  const early = await streams.listenAs(streams.tokens)
  const long = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [long.id])
  await expect.poll(() => idsIn(early)).toEqual([long.id])
  streams.world.ctx.clock.advance(LIVE_RETOLD_MS)
  const justNow = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [justNow.id])
  await expect.poll(() => idsIn(early)).toEqual([long.id, justNow.id])
  const late = await streams.listenAs(streams.tokens)
  await expect.poll(() => idsIn(late)).toEqual([justNow.id])
  await expect.poll(late.beats).toBeGreaterThan(2)
  expect(idsIn(early)).toEqual([long.id, justNow.id])
})

test('a process that has just started to listen makes new streams refetch', async () => {
  const fresh = createLive(streams.world.ctx)
  await fresh.connect(streams.world.ctx.databaseUrl)
  const other = await makeApp(streams.world.ctx, new KeyCache(), fresh)
  const reader = await streams.listenAs(streams.tokens, await other.listen({ host: '127.0.0.1', port: 0 }))
  await expect.poll(() => reader.updates).toEqual([{ payments: [], more: true }])
  // Each process listens for itself.
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  const elsewhere = await streams.listenAs(streams.tokens)
  await streams.publishAs(streams.shop.accountId, [made.id])
  for (const each of [reader, elsewhere]) await expect.poll(() => idsIn(each)).toEqual([made.id])
  await fresh.close()
  await other.close()
})
