import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { AlreadyRunningError, EmbeddedPostgresError } from './embedded-error.ts'

/** Any fixed number: "muripo" in ASCII. It is taken in the database `postgres`, which always exists. */
const lockId = '120304373624943'
const heldPatienceMs = 1500
const answerPatienceMs = 120_000
const retryMs = 50

/**
 * The one running gateway of a data directory is the one that holds this connection's advisory lock. It vanishes with
 * the process, however that dies, so it can never be stale.
 */
export async function takeLock(
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
      // The lock of a gateway killed a moment ago goes as soon as PostgreSQL notices its closed connection.
      if (now - heldSince > heldPatienceMs) throw new AlreadyRunningError(dataDir)
    }
    if (now - startedAt > answerPatienceMs) {
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
  // pg reports a lost connection through this event too, and unheard it would end the process.
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
