import pg from 'pg'
import type { Log } from '../log.ts'
import { CHECK_TIMEOUT_MS, destroyConnection } from './connection-watchdog.ts'

/** The interval at which a listener notifies itself. A notification that does not arrive within it ends the connection. */
const BEAT_MS = 5000

export interface Listener {
  /** False while the connection is lost: notifications of this time are lost too. */
  live(): boolean
  close(): Promise<void>
}

interface Handlers {
  onMessage(payload: string): void
  /** Notifications may have been lost, so caches that depend on the channel are cleared. */
  missed(): void
  /** Runs in each new session of the listener. */
  connected?(session: pg.Client): Promise<unknown>
}

/** Listens to the notifications of other processes on one channel. After a lost connection it reconnects. */
export async function listen(
  databaseUrl: string,
  channel: string,
  handlers: Handlers,
  log: Log,
  { retryMs = 1000, beatMs = BEAT_MS } = {},
): Promise<Listener> {
  let client: pg.Client | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CHECK_TIMEOUT_MS,
      application_name: 'muripo-listen',
    })
    const beat = startBeat(next, channel, beatMs, log)
    next.on('notification', (message) => {
      if (message.channel === channel) handlers.onMessage(message.payload ?? '')
    })
    next.on('error', (error) => log.warn({ err: error, channel }, 'lost the notification channel'))
    next.on('end', () => {
      clearInterval(beat)
      // A connection that failed before its LISTEN ends too; its caller receives the error.
      if (client !== next) return
      client = null
      handlers.missed()
      retryLater()
    })
    try {
      await next.connect()
      const names = [channel, ownChannelOf(next, channel)].map(pg.escapeIdentifier)
      await next.query(names.map((name) => `listen ${name}`).join('; '))
      await handlers.connected?.(next)
    } catch (error) {
      clearInterval(beat)
      await next.end().catch(() => undefined)
      throw error
    }
    if (closed) return next.end()
    client = next
    handlers.missed()
  }

  function retryLater(): void {
    if (!closed) retry = setTimeout(() => connect().catch(retryLater), retryMs)
  }

  await connect()
  return {
    live: () => client !== null,
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}

/** A connected session's own channel, on which it notifies itself. */
const ownChannelOf = (client: pg.Client, channel: string): string =>
  `${channel} of ${(client as unknown as { processID: number }).processID}`

/**
 * Notifies the session itself at an interval, and ends a connection that does not deliver: an idle listener would not notice a lost
 * connection, nor a session that has lost its LISTEN.
 */
function startBeat(client: pg.Client, channel: string, beatMs: number, log: Log): NodeJS.Timeout {
  let isAnswered = true
  client.on('notification', (message) => {
    if (message.channel === ownChannelOf(client, channel)) isAnswered = true
  })
  return setInterval(() => {
    if (!isAnswered) {
      log.warn({ channel }, 'the notification channel does not deliver')
      return destroyConnection(client)
    }
    isAnswered = false
    const text = `notify ${pg.escapeIdentifier(ownChannelOf(client, channel))}`
    client.query({ text, query_timeout: beatMs } as pg.QueryConfig).catch(() => destroyConnection(client))
  }, beatMs)
}
