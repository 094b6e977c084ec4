import pg from 'pg'
import { createPool } from './database.ts'
import { channels } from './locks-and-channels.ts'

/** The sessions of DATABASE_URL do not fit this process. */
export class SessionError extends Error {}

const WAIT_MS = 5000
const ADVICE = 'Use pool_mode = session, or set DATABASE_URL to the address of PostgreSQL itself'

/**
 * Detects a connection pooler that shares one session between several clients: a session then changes between two statements, and LISTEN
 * receives nothing.
 * @throws SessionError
 */
export async function checkSessions(databaseUrl: string, waitMs = WAIT_MS): Promise<void> {
  const pool = createPool(databaseUrl, { maxConnections: 1 })
  try {
    await requireOwnSession(pool, databaseUrl, waitMs)
    await requireNotifications(pool, databaseUrl, waitMs)
  } finally {
    await pool.end()
  }
}

/** While another client is in a transaction, a pooler that shares sessions gives the client another one. */
async function requireOwnSession(pool: pg.Pool, databaseUrl: string, waitMs: number): Promise<void> {
  const pidOf = async (client: pg.Pool | pg.Client): Promise<unknown> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const other = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
  })
  other.on('error', () => undefined)
  const pids = new Set([await pidOf(pool)])
  try {
    await other.connect()
    await other.query('begin')
    const others = await pidOf(other)
    pids.add(await pidOf(pool))
    if (pids.size === 1 && !pids.has(others)) return
    throw new SessionError(
      `The database of DATABASE_URL is behind a connection pooler that shares a session between clients (pool_mode = transaction or statement): LISTEN, prepared statements and settings of a session would be lost. ${ADVICE}`,
    )
  } finally {
    await other.end().catch(() => undefined)
  }
}

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
