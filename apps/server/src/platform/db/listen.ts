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

/**
 * Listens to the notifications of other processes on one channel. After a lost connection it reconnects, and calls `missed`, so that caches
 * that depend on this channel are cleared.
 */
export async function listen(
  databaseUrl: string,
  channel: string,
  handlers: {
    onMessage(payload: string): void
    missed(): void
    connected?(session: pg.Client): Promise<unknown>
  },
  log: Log,
  retryMs = 1000,
  beatMs = BEAT_MS,
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
    const own = () => `${channel} of ${(next as unknown as { processID: number }).processID}`
    const beat = startBeat(next, own, beatMs, () =>
      log.warn({ channel }, 'the notification channel does not deliver'),
    )
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
      if (!closed) retry = setTimeout(reconnect, retryMs)
    })
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}; listen ${pg.escapeIdentifier(own())}`)
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

  function reconnect(): void {
    connect().catch(() => {
      if (!closed) retry = setTimeout(reconnect, retryMs)
    })
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

/**
 * Notifies the session itself at an interval, and ends a connection that does not deliver: an idle listener would not notice a lost
 * connection, nor a session that has lost its LISTEN.
 * @param channel the session's own channel, which is known when it is connected
 */
function startBeat(
  client: pg.Client,
  channel: () => string,
  beatMs: number,
  onSilence: () => void,
): NodeJS.Timeout {
  let isAnswered = true
  client.on('notification', (message) => {
    if (message.channel === channel()) isAnswered = true
  })
  return setInterval(() => {
    if (!isAnswered) {
      onSilence()
      return destroyConnection(client)
    }
    isAnswered = false
    const text = `notify ${pg.escapeIdentifier(channel())}`
    client.query({ text, query_timeout: beatMs } as pg.QueryConfig).catch(() => destroyConnection(client))
  }, beatMs)
}
