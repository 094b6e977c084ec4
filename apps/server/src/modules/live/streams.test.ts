import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import { expect, test } from 'vitest'
import { idsIn, useStreams } from '../../../test/streams.ts'
import { makeShop } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { makeMember, makeSession } from '../identity/factory.ts'
import { makePayment } from '../payments/factory.ts'

const streams = useStreams()

test('without a session nothing is opened', async () => {
  for (const authToken of ['', 'broken', streams.tokens.refreshToken]) {
    const { response } = await streams.listenAs({ ...streams.tokens, authToken })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'session_invalid' })
  }
})

test('HEAD opens no stream', async () => {
  const response = await fetch(`${streams.url}/v1/live`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${streams.tokens.authToken}` },
  })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
})

test('a stream ends soon after its session, without further updates', async () => {
  const [reader, other] = [
    await streams.listenAs(streams.tokens),
    await streams.listenAs(await makeSession(streams.world.ctx, streams.shop.merchantId)),
  ]
  const signedOut = await streams.app.inject({
    method: 'POST',
    url: '/v1/auth/signout',
    headers: { authorization: `Bearer ${streams.tokens.authToken}` },
  })
  expect(signedOut.statusCode).toBe(204)
  const made = await makePayment(streams.world.ctx, streams.shop.owner)
  await streams.publishAs(streams.shop.accountId, [made.id])
  await reader.ended
  expect(reader.updates).toEqual([])
  await expect.poll(() => idsIn(other)).toEqual([made.id])
})

test('a session that ends without updates ends its stream at the next heartbeat', async () => {
  const reader = await streams.listenAs(streams.tokens)
  await expect.poll(reader.beats).toBeGreaterThan(0)
  await streams.world.ctx.db.pool.query(
    "update sessions set ended_at = now(), end_reason = 'refresh_reused' where ended_at is null",
  )
  await reader.ended
})

test('a stream ends when its token would be refused', async () => {
  streams.world.ctx.clock.advance(10 * 60_000 + 30_000 - 300)
  const reader = await streams.listenAs(streams.tokens)
  expect(reader.response.status).toBe(200)
  await reader.ended
})

test('an open stream does not extend a session', async () => {
  const lastUsedAt = async () => {
    const { rows } = await streams.world.ctx.db.pool.query(
      'select last_used_at from sessions where merchant_id = $1',
      [uuidOf(streams.shop.merchantId)],
    )
    return rows[0].last_used_at
  }
  const before = await lastUsedAt()
  streams.world.ctx.clock.advance(5 * 60_000)
  const reader = await streams.listenAs(streams.tokens)
  await expect.poll(reader.beats).toBeGreaterThan(0)
  expect(await lastUsedAt()).toEqual(before)
  streams.world.ctx.clock.advance(10 * 60_000)
  await reader.ended
})

test('a merchant has ten streams; the oldest of one session is closed, other sessions wait', async () => {
  const own = await streams.listenAs(streams.tokens)
  const others = await makeSession(streams.world.ctx, streams.shop.merchantId)
  for (let count = 1; count < 10; count += 1) await streams.listenAs(others)
  const refused = await streams.listenAs(await makeSession(streams.world.ctx, streams.shop.merchantId))
  expect(refused.response.status).toBe(429)
  expect(refused.response.headers.get('retry-after')).toBe('30')
  expect(await refused.response.json()).toMatchObject({ code: 'rate_limited' })
  const again = await streams.listenAs(streams.tokens)
  expect(again.response.status).toBe(200)
  await own.ended
  const elsewhere = await makeShop(streams.world.ctx)
  const ofOther = await streams.listenAs(await makeSession(streams.world.ctx, elsewhere.merchantId))
  expect(ofOther.response.status).toBe(200)
  // A client that disconnects releases its stream.
  again.leave()
  const late = await makeSession(streams.world.ctx, streams.shop.merchantId)
  await expect.poll(async () => (await streams.listenAs(late)).response.status).toBe(200)
})

test('a member receives the payments of their applications, and a cashier no stream', async () => {
  const { ctx } = streams.world
  const { merchantId, accountId } = streams.shop
  const other = await makeShop(ctx, merchantId)
  const limited = await makeMember(ctx, merchantId, 'support', [streams.shop.applicationId])
  const reader = await streams.listenAs(limited.tokens)
  const foreign = await makePayment(ctx, other.owner)
  const own = await makePayment(ctx, streams.shop.owner)
  await streams.publishAs(accountId, [foreign.id, own.id])
  await expect.poll(() => idsIn(reader)).toEqual([own.id])
  const cashier = await makeMember(ctx, merchantId, 'cashier')
  const { response } = await streams.listenAs(cashier.tokens)
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'not_permitted' })
})

/** A client that reads nothing from its socket. */
async function deafReader() {
  const { port } = new URL(streams.url)
  const socket = openSocket(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `GET /v1/live HTTP/1.1\r\nhost: gateway.test\r\nauthorization: Bearer ${streams.tokens.authToken}\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.pause()
  return socket
}

const connections = () =>
  new Promise<number>((resolve) => streams.app.server.getConnections((_error, count) => resolve(count)))

test('a slow reader is dropped, and delays no other reader', async () => {
  const reader = await streams.listenAs(streams.tokens)
  const made = await Promise.all(
    Array.from({ length: 50 }, () =>
      makePayment(streams.world.ctx, streams.shop.owner, { description: 'x'.repeat(500) }),
    ),
  )
  const deaf = await deafReader()
  const before = await connections()
  for (let round = 1; (await connections()) === before && round < 400; round += 1) {
    const received = reader.updates.length
    await streams.publishAs(
      streams.shop.accountId,
      made.map(({ id }) => id),
    )
    await expect.poll(() => reader.updates.length).toBeGreaterThan(received)
  }
  expect(await connections()).toBe(before - 1)
  deaf.destroy()
})

test('a stop ends all streams, including those of slow readers', async () => {
  const reader = await streams.listenAs(streams.tokens)
  const deaf = await deafReader()
  await streams.live.close()
  await streams.app.close()
  await reader.ended
  deaf.destroy()
})
