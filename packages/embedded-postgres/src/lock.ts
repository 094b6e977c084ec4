import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { AlreadyRunningError, EmbeddedPostgresError } from './error.ts'

/** Any fixed number: "muripo" in ASCII. The lock is taken in the database `postgres`, which always exists. */
const lockId = '120304373624943'
const heldTimeoutMs = 1500
const answerTimeoutMs = 120_000
const retryMs = 50

/**
 * One process at a time uses a data directory: the holder of this connection's advisory lock. PostgreSQL releases the lock when
 * the process ends, also when it is killed, so the lock is never stale.
 */
export async function acquireLock(
  url: string,
  dataDir: string,
  stillRunning: () => boolean,
): Promise<pg.Client | undefined> {
  const startedAt = performance.now()
  let heldSince: number | undefined
  while (stillRunning()) {
    const now = performance.now()
    const client = await connect(url)
    if (client) {
      heldSince ??= now
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        lockId,
      ])
      if (rows[0]?.taken) return client
      await client.end()
      // PostgreSQL releases the lock of a killed process as soon as it notices the closed connection.
      if (now - heldSince > heldTimeoutMs) throw new AlreadyRunningError(dataDir)
    }
    if (now - startedAt > answerTimeoutMs) {
      throw new EmbeddedPostgresError(
        'The database runs but does not answer; see postgres.log in the data directory.',
      )
    }
    await sleep(retryMs)
  }
  return undefined
}

/** undefined while the server starts, recovers or goes down. */
async function connect(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'muripo: lock of the data directory',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options: '-c idle_session_timeout=0 -c statement_timeout=0',
  })
  // pg reports a lost connection through this event too, and without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const { code } = error as { code?: string }
    if (code === '28P01') {
      throw new EmbeddedPostgresError(
        'The database refuses the password in postgres.password of the data directory.',
      )
    }
    return undefined
  }
}
