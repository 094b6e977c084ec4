import { runningServerUrl } from '@muripo/embedded-postgres/embedded-postgres'
import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import type { GatewayConfig } from '../gateway-config.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { hasDevelopmentMasterKey, masterKeysOf } from '../platform/crypto/keys.ts'
import { loadKeys } from '../platform/crypto/root-secret.ts'
import { createDatabase } from '../platform/db/database.ts'
import { modeOf } from '../platform/db/deployment-mode.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import { onePool } from '../platform/db/pools.ts'
import { createDiskSpace } from '../platform/files/disk-space.ts'
import { createFiles } from '../platform/files/files.ts'
import { systemIds } from '../platform/ids.ts'
import { jobs } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { type OperatorContext, Refused } from './command.ts'

/** The context of the gateway of a configuration. The gateway's process sends the emails that commands enqueue. */
export async function openCtx(config: GatewayConfig): Promise<OperatorContext['ctx']> {
  const url = runningDatabaseUrl(config)
  if ((await pendingMigrations(url)).length > 0) {
    throw new Refused('The database is older than this command: start this version of the gateway first.')
  }
  // A generated key would differ from the gateway's, which could then not decrypt the command's data.
  if (config.masterKey === null && !hasDevelopmentMasterKey(config.dataDir)) {
    throw new Refused(
      `No gateway has been started on ${config.dataDir}: set MURIPO_DATA to the directory of its secrets.`,
    )
  }
  const db = createDatabase(url, { maxConnections: 2 })
  const keys = await loadKeys(db.kysely, masterKeysOf(config)).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  // The database's mode takes precedence: an approval on a live gateway in test mode would create no live keys.
  const keyMode = (await modeOf(db)) ?? config.keyMode
  return {
    config: { ...config, keyMode },
    keys,
    ...onePool(db),
    clock: systemClock,
    ids: systemIds,
    jobs,
    mailer: createMailer(jobs, keys.jobEncryption),
    files: createFiles(config, keys.fileEncryption, systemClock),
    disk: createDiskSpace(config, createLog('silent')),
    log: createLog('silent'),
    tracing: null,
  }
}

/** The database of a running gateway: the one of DATABASE_URL, or the embedded one of its data directory. */
export function runningDatabaseUrl({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  const url = databaseUrl ?? runningServerUrl(dataDir)
  if (url !== undefined) return url
  throw new EmbeddedPostgresError(
    `No gateway runs on ${dataDir}: start it, or set MURIPO_DATA or DATABASE_URL to its data.`,
  )
}
