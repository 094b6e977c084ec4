import { createServer, connect as open, type Socket } from 'node:net'
import { startFaultProxy } from '@muripo/testing/fault-proxy'
import { serverOf, throughPort } from '@muripo/testing/postgres-proxy'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { withoutAdvance } from '../../../test/controlled-timeouts.ts'
import { startPooler } from '../../../test/pooler.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { createLog } from '../log.ts'
import { type Listener, listen } from './listen.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const RETRY_MS = 20
/** The interval at which a listener notifies itself. */
const BEAT_MS = 5000

/** A proxy to the database that a test can cut, with the times of its connections. */
async function wayTo(databaseUrl: string) {
  const target = serverOf(databaseUrl)
  const sockets = new Set<Socket>()
  const connectedAt: number[] = []
  let isOpen = true
  const server = createServer((socket) => {
    connectedAt.push(performance.now())
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!isOpen) {
      socket.destroy()
      return
    }
    const onward = open(target)
    onward.on('error', () => undefined)
    socket.on('close', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = throughPort(databaseUrl, (server.address() as { port: number }).port)
  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }
  cleanups.push(() => {
    cut()
    server.close()
  })
  return {
    url,
    connectedAt,
    cut,
    close() {
      isOpen = false
      cut()
    },
    reopen() {
      isOpen = true
    },
  }
}

async function start() {
  const { url } = await testDatabase()
  const way = await wayTo(url)
  const received: string[] = []
  const missed = vi.fn()
  const handlers = { onMessage: (payload: string) => void received.push(payload), missed }
  const listener: Listener = await listen(way.url, 'news', handlers, createLog('silent'), {
    retryMs: RETRY_MS,
  })
  cleanups.push(() => listener.close())
  return { url, way, received, missed, listener }
}

async function notify(url: string, payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_notify($1, $2)', ['news', payload])
  await client.end()
}

test('an unreachable database is polled at a steady rate, however long', async () => {
  const { way, listener } = await start()
  way.close()
  await expect.poll(() => way.connectedAt.length).toBeGreaterThan(8)
  const pauses = way.connectedAt.slice(1).map((at, index) => at - (way.connectedAt[index] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThan(RETRY_MS / 2)
  expect(listener.live()).toBe(false)
  way.reopen()
  await expect.poll(() => listener.live()).toBe(true)
})

test('after a lost connection it reports that notifications may be missing, and receives again', async () => {
  const { url, way, received, missed, listener } = await start()
  await notify(url, 'one')
  await expect.poll(() => received).toEqual(['one'])
  missed.mockClear()
  way.cut()
  await expect.poll(() => missed.mock.calls.length).toBe(2)
  expect(listener.live()).toBe(true)
  await notify(url, 'two')
  await expect.poll(() => received).toEqual(['one', 'two'])
})

test('a listener that is closed while it connects again stays closed', async () => {
  const { way, listener } = await start()
  way.close()
  await expect.poll(() => way.connectedAt.length).toBeGreaterThan(2)
  way.reopen()
  await listener.close()
  const before = way.connectedAt.length
  await new Promise((resolve) => setTimeout(resolve, 3 * RETRY_MS))
  expect(way.connectedAt.length - before).toBeLessThanOrEqual(1)
  expect(listener.live()).toBe(false)
})

test('a silent connection is noticed, and replaced when the network is back', async () => {
  const { url } = await testDatabase()
  const proxy = await startFaultProxy(serverOf(url))
  cleanups.push(() => proxy.close())
  const received: string[] = []
  const missed = vi.fn()
  const handlers = { onMessage: (payload: string) => void received.push(payload), missed }
  const listener = await listen(throughPort(url, proxy.port), 'news', handlers, createLog('silent'), {
    retryMs: RETRY_MS,
    beatMs: 300,
  })
  cleanups.push(() => listener.close())
  proxy.set({ swallow: 'both' })
  await expect.poll(() => listener.live()).toBe(false)
  proxy.set({})
  await expect.poll(() => listener.live()).toBe(true)
  expect(missed.mock.calls.length).toBeGreaterThanOrEqual(3)
  await expect
    .poll(async () => {
      // On a slow machine the short interval ends a working connection too, which loses a notification.
      await notify(url, 'one')
      return received
    })
    .toContain('one')
})

test('a connection that answers without notifications is closed, and its caches are cleared', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  cleanups.push(() => vi.useRealTimers())
  const { url } = await testDatabase()
  const pooler = await startPooler(url, { notifications: 'delivered' })
  cleanups.push(() => pooler.close())
  const missed = vi.fn()
  const received: string[] = []
  const handlers = { onMessage: (payload: string) => void received.push(payload), missed }
  const listener = await listen(pooler.url, 'news', handlers, createLog('silent'), { retryMs: RETRY_MS })
  cleanups.push(() => listener.close())
  for (let beat = 1; beat <= 3; beat += 1) {
    vi.advanceTimersByTime(BEAT_MS)
    await expect.poll(() => pooler.delivered(), withoutAdvance).toBe(2 * beat - 1)
    // The listener has received the notification of its beat when it receives the next one.
    await notify(url, `after beat ${beat}`)
    await expect.poll(() => received, withoutAdvance).toHaveLength(beat)
  }
  expect(missed).toHaveBeenCalledTimes(1)
  pooler.faults.notifications = 'dropped'
  vi.advanceTimersByTime(BEAT_MS)
  await expect.poll(() => pooler.dropped(), withoutAdvance).toBe(1)
  vi.advanceTimersByTime(BEAT_MS)
  await expect.poll(() => missed.mock.calls.length).toBeGreaterThan(1)
  pooler.faults.notifications = 'delivered'
  await expect.poll(() => listener.live()).toBe(true)
})
