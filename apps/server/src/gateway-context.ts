import { join } from 'node:path'
import { encryptedValues } from './encrypted-values.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { systemClock } from './platform/clock.ts'
import { requireMasterKeys } from './platform/crypto/encrypted-values.ts'
import { masterKeysOf } from './platform/crypto/keys.ts'
import { openLiveKeys } from './platform/crypto/live-keys.ts'
import type { Ctx } from './platform/ctx.ts'
import { createDatabaseClock, type DatabaseClock } from './platform/db/database-time.ts'
import type { Databases } from './platform/db/databases.ts'
import { recordMode } from './platform/db/deployment-mode.ts'
import { checkDatabase, createPools } from './platform/db/pools.ts'
import { createDiskSpace } from './platform/files/disk-space.ts'
import { createFiles } from './platform/files/files.ts'
import { createIds } from './platform/ids.ts'
import { jobs } from './platform/jobs/jobs.ts'
import type { Log } from './platform/log.ts'
import { createMailbox, type Mailbox } from './platform/mail/mailbox.ts'
import { createMailer } from './platform/mail/mailer.ts'

/** The dependencies that the parts of a process share, over a migrated database. */
export interface SharedContext {
  readonly ctx: Ctx
  readonly clock: DatabaseClock
  /** Null in production. */
  readonly mailbox: Mailbox | null
  /** The reason why no request can be served; null when there is none. */
  error(): Promise<string | null>
  close(): Promise<void>
}

export async function openContext(
  config: GatewayConfig,
  log: Log,
  databaseUrl: string,
  { settings }: Databases,
): Promise<SharedContext> {
  const { close: closePools, ...pools } = createPools(databaseUrl, { settings })
  const clock = await createDatabaseClock(pools.background.pool, log)
  await recordMode(pools.db, config.keyMode)

  const liveKeys = await openLiveKeys(databaseUrl, pools.background, masterKeysOf(config), log)
  const { keys } = liveKeys
  await requireMasterKeys(pools.background.kysely, keys.ring, encryptedValues)

  const disk = createDiskSpace(config, log)
  await disk.measure().catch((error: unknown) => {
    log.error({ err: error }, 'the free disk space cannot be read: no request is refused for it')
  })
  // The SDK takes memory and time to load, in the processes that use it only.
  const tracing =
    config.tracing && (await import('./platform/tracing/otlp.ts')).startTracing(config.tracing, log)
  return {
    ctx: {
      config,
      keys,
      ...pools,
      clock,
      ids: createIds(clock),
      jobs,
      mailer: createMailer(jobs, keys.jobEncryption),
      files: createFiles(config, keys.fileEncryption, clock),
      disk,
      log,
      tracing,
    },
    clock,
    mailbox: config.mode === 'development' ? createMailbox(join(config.dataDir, 'mail'), systemClock) : null,
    async error() {
      const known = clock.error() ?? liveKeys.error()
      if (known !== null) return known
      try {
        await checkDatabase(pools)
        return null
      } catch {
        return 'the database does not answer'
      }
    },
    async close() {
      await liveKeys.close()
      await closePools()
      await tracing?.stop()
    },
  }
}
