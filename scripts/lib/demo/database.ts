import type { Config } from '../../../apps/server/src/platform/config.ts'
import { createDatabase, type Database, type Tx } from '../../../apps/server/src/platform/db/database.ts'
import { runningDatabaseUrl } from '../../../apps/server/src/platform/db/running.ts'

/** The database of the gateway that runs on this data directory. */
export const runningDatabase = (config: Config): Database =>
  createDatabase(runningDatabaseUrl(config), { maxConnections: 1 })

/**
 * All of the work or nothing, in one transaction, whatever transactions the actions would open: the gateway that runs beside never
 * sees a charge under way that it would look up.
 */
export async function inOneTransaction<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  const client = await db.pool.connect()
  const query = fast(client)
  const shared = { connect: async () => ({ query, release: () => undefined }), query }
  Object.assign(db.pool, shared)
  try {
    await client.query('begin')
    const done = await work({ ...db, tx: (inner) => inner(db.kysely as unknown as Tx) })
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    for (const name of Object.keys(shared)) Reflect.deleteProperty(db.pool, name)
    client.release()
  }
}

/**
 * Thousands of small statements spend their time on the way: several go out before the first is answered, and each kind of them is
 * parsed and planned once.
 */
function fast(client: { query: unknown }): (text: unknown, values: unknown) => unknown {
  Object.assign(client, { pipeline: true })
  const names = new Map<string, string>()
  const query = (client.query as (...given: unknown[]) => unknown).bind(client)
  return (text, values) => {
    if (typeof text !== 'string') return query(text)
    const name = names.get(text) ?? `sample-${names.size}`
    names.set(text, name)
    return query({ name, text, values })
  }
}
