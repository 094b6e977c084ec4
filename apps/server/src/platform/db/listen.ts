import pg from 'pg'
import type { Log } from '../log.ts'
import { ASK_MS, hangUp } from './silence.ts'

/** So often a channel on which nothing is told is asked whether it still is one. */
const BEAT_MS = 5000

export interface Listener {
  /** False while the connection is lost: what was told meanwhile has not been heard. */
  live(): boolean
  close(): Promise<void>
}

/**
 * Hears what other processes tell through NOTIFY on one channel. After a lost connection it connects again, and calls `missed` so
 * that whoever kept something because of this channel throws it away.
 */
export async function listen(
  databaseUrl: string,
  channel: string,
  handlers: {
    heard(payload: string): void
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
      connectionTimeoutMillis: ASK_MS,
      application_name: 'muripo-listen',
    })
    // Whoever only listens would never learn that nobody is there any more.
    const beat = setInterval(() => {
      next.query({ text: 'select', query_timeout: beatMs } as pg.QueryConfig).catch(() => hangUp(next))
    }, beatMs)
    next.on('notification', (message) => handlers.heard(message.payload ?? ''))
    next.on('error', (error) => log.warn({ err: error, channel }, 'lost the notification channel'))
    next.on('end', () => {
      clearInterval(beat)
      // A connection that never came to listen ends too; whoever opened it knows.
      if (client !== next) return
      client = null
      handlers.missed()
      if (!closed) retry = setTimeout(reconnect, retryMs)
    })
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
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
