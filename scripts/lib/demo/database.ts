import path from 'node:path'
import type { Config } from '../../../apps/server/src/platform/config.ts'
import { createDatabase, type Database, type Tx } from '../../../apps/server/src/platform/db/database.ts'
import { superuser, superuserPassword } from '../../../apps/server/src/platform/db/embedded-password.ts'
import { findPostmaster } from '../../../apps/server/src/platform/db/embedded-postmaster.ts'

/** The database of the gateway that runs on this data directory. */
export function runningDatabase(config: Config): Database {
  const db = createDatabase(config.databaseUrl ?? embeddedUrl(config.dataDir), { maxConnections: 1 })
  prepareOnce(db)
  return db
}

/** The same few statements come a thousand times: under a name each is parsed and planned once. */
function prepareOnce({ pool }: Database): void {
  const names = new Map<string, string>()
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    function named(text: unknown, values: unknown, ...rest: unknown[]): unknown {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...rest)
      const name = names.get(text) ?? `sample-${names.size}`
      names.set(text, name)
      return query({ name, text, values }, ...rest)
    }
    Object.assign(client, { query: named })
  })
}

function embeddedUrl(dataDir: string): string {
  const running = findPostmaster(path.join(dataDir, 'postgres'))
  if (!running) throw new Error(`no gateway runs on ${dataDir}`)
  const password = encodeURIComponent(superuserPassword(dataDir))
  return `postgres://${superuser}:${password}@127.0.0.1:${running.port}/muripo`
}

/**
 * All of the work or nothing, in the one transaction of the one connection, whatever transactions the actions would open: the
 * gateway that runs beside never sees a charge under way that it would look up.
 */
export async function inOneTransaction<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  await db.pool.query('begin')
  try {
    const done = await work({ ...db, tx: (inner) => inner(db.kysely as unknown as Tx) })
    await db.pool.query('commit')
    return done
  } catch (error) {
    await db.pool.query('rollback').catch(() => undefined)
    throw error
  }
}
