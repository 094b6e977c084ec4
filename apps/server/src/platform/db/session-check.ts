import pg from 'pg'
import { createPool, sessionSettings, sqlState } from './database.ts'
import { channels } from './locks-and-channels.ts'

/** The sessions of DATABASE_URL do not fit this process. */
export class SessionError extends Error {}

const WAIT_MS = 5000
const ADVICE =
  'Set DATABASE_URL to the address of PostgreSQL itself; docs/operate.md says which connection poolers work'

/**
 * Detects a connection pooler that shares one session between several clients: it ignores start-up settings, LISTEN receives nothing, and a
 * session's lock does not belong to its client.
 * @throws SessionError
 */
export async function checkSessions(databaseUrl: string, waitMs = WAIT_MS): Promise<void> {
  const pool = createPool(databaseUrl, { maxConnections: 1 })
  try {
    await requireSettings(pool)
    await requireNotifications(pool, databaseUrl, waitMs)
  } finally {
    await pool.end()
  }
}

async function requireSettings(pool: pg.Pool): Promise<void> {
  const names = Object.keys(sessionSettings)
  const { rows } = await pool
    .query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
      names,
    ])
    .catch((error: unknown) => {
      // A pooler answers with this code to a start-up parameter that it does not pass on.
      if (sqlState(error) === '08P01') throw ignored(names)
      throw error
    })
  const found = new Map(rows.map(({ name, setting }) => [name, setting]))
  const without = Object.entries(sessionSettings).filter(([name, value]) => found.get(name) !== value)
  if (without.length > 0) throw ignored(without.map(([name]) => name))
}

const ignored = (names: readonly string[]): SessionError =>
  new SessionError(`The database of DATABASE_URL ignores the session settings ${names.join(', ')}. ${ADVICE}`)

/** One session listens and another one notifies: a pooler may use one session for both. */
async function requireNotifications(pool: pg.Pool, databaseUrl: string, waitMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: waitMs })
  client.on('error', () => undefined)
  const { promise: received, resolve } = Promise.withResolvers<true>()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((late) => {
    timer = setTimeout(late, waitMs, false)
  })
  try {
    await client.connect()
    client.on('notification', ({ channel }) => channel === channels.sessionCheck && resolve(true))
    await client.query(`listen ${channels.sessionCheck}`)
    await pool.query(`notify ${channels.sessionCheck}`)
    if (await Promise.race([received, tooLate])) return
    throw new SessionError(
      `The database of DATABASE_URL delivers no NOTIFY to a session that listens. ${ADVICE}`,
    )
  } finally {
    clearTimeout(timer)
    await client.end().catch(() => undefined)
  }
}
