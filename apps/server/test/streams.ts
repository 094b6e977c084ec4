import type { Tokens } from '@muripo/contract/auth'
import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { LiveUpdate } from '@muripo/contract/live'
import { createParser } from 'eventsource-parser'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { KeyCache } from '../src/modules/applications/index.ts'
import { makeSession } from '../src/modules/identity/factory.ts'
import { createLive, type Live } from '../src/modules/live/index.ts'
import { channels } from '../src/platform/db/locks-and-channels.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { makeApp } from './app.ts'
import { makeShop, makeWorld, type Shop, type World } from './world.ts'

const BEAT_MS = 100
const PAUSE_MS = 20

interface Reader {
  readonly response: Response
  readonly updates: LiveUpdate[]
  readonly beats: () => number
  readonly retryMs: () => number | undefined
  readonly ended: Promise<unknown>
  leave(): void
}

export const idsIn = (reader: Reader): PaymentId[] =>
  reader.updates.flatMap(({ payments }) => payments.map(({ paymentId }) => paymentId))

/** A gateway with streams with a short heartbeat, and a new shop with a session for each test. */
class Streams {
  world!: World
  live!: Live
  app!: FastifyInstance
  url!: string
  shop!: Shop
  tokens!: Tokens
  readonly readers: Reader[] = []

  async begin(): Promise<void> {
    const { ctx } = this.world
    this.live = createLive(ctx, { beatMs: BEAT_MS, pauseMs: PAUSE_MS })
    await this.live.connect(ctx.databaseUrl)
    this.app = await makeApp(ctx, new KeyCache(), this.live)
    this.url = await this.app.listen({ host: '127.0.0.1', port: 0 })
    // The next updates are later than those of the time at which this process began to listen.
    ctx.clock.advance(LIVE_RETOLD_MS)
    this.shop = await makeShop(ctx)
    this.tokens = await makeSession(ctx, this.shop.merchantId)
  }

  async end(): Promise<void> {
    for (const reader of this.readers.splice(0)) reader.leave()
    await this.live.close()
    await this.app.close()
    await this.world.ctx.backgroundTasks.drain()
  }

  /** Opens a stream as the dashboard does, and records its events. */
  async listenAs({ authToken }: Tokens, url = this.url): Promise<Reader> {
    const leaving = new AbortController()
    const response = await fetch(`${url}/v1/live`, {
      headers: { authorization: `Bearer ${authToken}` },
      signal: leaving.signal,
    })
    const reader = read(response, () => leaving.abort())
    this.readers.push(reader)
    return reader
  }

  publishAs(accountId: AccountId, paymentIds: readonly PaymentId[], more = false) {
    return this.publishTogether(accountId, [paymentIds], more)
  }

  /** Sends several notifications in one commit, which arrive together. */
  publishTogether(accountId: AccountId, groups: readonly (readonly PaymentId[])[], more = false) {
    return this.world.ctx.db.pool.query('select pg_notify($1, told) from unnest($2::text[]) as told', [
      channels.paymentsChanged,
      groups.map((ids) =>
        JSON.stringify({ accountId: uuidOf(accountId), paymentIds: ids.map(uuidOf), more }),
      ),
    ])
  }
}

function read(response: Response, leave: () => void): Reader {
  const updates: LiveUpdate[] = []
  let beats = 0
  let retryMs: number | undefined
  const parser = createParser({
    onEvent({ event, data }) {
      expect(event).toBe('payments')
      updates.push(LiveUpdate.parse(JSON.parse(data)))
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
  return { response, updates, beats: () => beats, retryMs: () => retryMs, ended, leave }
}

/** For all tests of one file: the streams exist when a test begins. */
export function useStreams(): Streams {
  const streams = new Streams()
  beforeAll(async () => {
    streams.world = await makeWorld()
  })
  afterAll(() => streams.world.ctx.close())
  beforeEach(() => streams.begin())
  afterEach(() => streams.end())
  return streams
}
