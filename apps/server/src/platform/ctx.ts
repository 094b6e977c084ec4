import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Keys } from './crypto/keys.ts'
import type { Pools } from './db/pools.ts'
import type { DiskSpace } from './files/disk-space.ts'
import type { Files } from './files/files.ts'
import type { Ids } from './ids.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The dependencies of every action. Tests replace the clock, the ids or the mailer and nothing else. */
export interface Ctx extends Pools {
  readonly config: Config
  readonly keys: Keys
  readonly clock: Clock
  readonly ids: Ids
  readonly jobs: Jobs
  readonly mailer: Mailer
  readonly files: Files
  readonly disk: DiskSpace
  readonly log: Log
  /** Null without a collector. */
  readonly tracing: Tracing | null
}
