import type { Config } from '../../../apps/server/src/platform/config.ts'
import { createDatabase, type Database } from '../../../apps/server/src/platform/db/database.ts'
import { settleMode } from '../../../apps/server/src/platform/db/deployment-mode.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/platform/db/embedded.ts'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { migrateJobs } from '../../../apps/server/src/platform/jobs/jobs.ts'
import type { Log } from '../../../apps/server/src/platform/log.ts'

/** The database of a gateway that does not run, migrated, for as long as the work takes. */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => {} })
      : null
  // Ended from outside, or its parent is gone: the database must not stay behind.
  for (const event of ['SIGTERM', 'disconnect'] as const)
    process.once(event, () => void (embedded?.stop() ?? Promise.resolve()).finally(() => process.exit(1)))
  const url = embedded?.url ?? config.databaseUrl ?? ''
  try {
    await migrate(url, { log: () => {} })
    // What a crash would lose is made anew.
    const db = createDatabase(url, { maxConnections: 2, mayForget: true })
    try {
      await settleMode(db, config.keyMode)
      await migrateJobs(db, log)
      return await work(db)
    } finally {
      await db.close()
    }
  } finally {
    await embedded?.stop()
  }
}
