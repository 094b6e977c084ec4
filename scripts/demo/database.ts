import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import type { Clock } from '../../apps/server/src/platform/clock.ts'
import type { Config } from '../../apps/server/src/platform/config.ts'
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts'
import { recordMode } from '../../apps/server/src/platform/db/deployment-mode.ts'
import { migrate } from '../../apps/server/src/platform/db/migrate.ts'
import { simulateTime } from '../../apps/server/src/platform/db/simulated-time.ts'

/** The databases that a preparation opens on a gateway that does not run. */
export type Open = (clock?: Clock) => Database

/**
 * Runs the database of a data directory, migrated, during the work. The work may open it several times: with a simulated clock, or with
 * the real time.
 */
export async function withDatabase<T>(config: Config, work: (open: Open) => Promise<T>): Promise<T> {
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => {} })
      : null
  // The database must not outlive this process when the process is stopped or its parent exits.
  for (const event of ['SIGTERM', 'disconnect'] as const)
    process.once(event, () => void (embedded?.stop() ?? Promise.resolve()).finally(() => process.exit(1)))
  const url = embedded?.url ?? config.databaseUrl ?? ''
  const opened: Database[] = []
  const open: Open = (clock) => {
    // Rows that a crash loses are created again.
    const db = createDatabase(url, { maxConnections: 2, asynchronousCommit: true })
    if (clock) simulateTime(db, clock)
    opened.push(db)
    return db
  }
  try {
    await migrate(url, { log: () => {} })
    const db = open()
    await recordMode(db, config.keyMode)
    return await work(open)
  } finally {
    for (const db of opened) await db.close()
    await embedded?.stop()
  }
}
