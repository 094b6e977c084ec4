import { v7 } from 'uuid'
import { type Clock, plusMs } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import type { Ctx } from '../src/platform/ctx.ts'
import { noteCoordinator } from '../src/platform/db/databases.ts'
import { createPools } from '../src/platform/db/pools.ts'
import { nodeSettings } from '../src/platform/db/shard-groups.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'
import { createDiskSpace } from '../src/platform/files/disk-space.ts'
import { createFiles } from '../src/platform/files/files.ts'
import { idFrom, systemIds } from '../src/platform/ids.ts'
import { jobs } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import type { EmailContent } from '../src/platform/mail/email-content.ts'
import type { Mail } from '../src/platform/mail/mail.ts'
import { renderEmail } from '../src/platform/mail/render-email.ts'
import { keysOf, testMasterKey } from './master-key.ts'
import { alterShards, isOnCitus, routeQueries } from './on-citus.ts'
import { testDatabase } from './test-database.ts'

export interface TestCtx extends Ctx {
  readonly clock: Clock & { advance(ms: number): void }
  /** The emails of the code under test, the oldest first. */
  readonly mails: Mail[]
  readonly databaseUrl: string
  close(): Promise<void>
}

/**
 * The platform's context over a database of its own, with a clock that only the test sets and recorded emails. On Citus it has the sessions
 * of the coordinator.
 */
export const testCtx = async (env?: Record<string, string>): Promise<TestCtx> =>
  ctxOn((await testDatabase()).url, isOnCitus ? nodeSettings : [], env)

/** The context of a payment: on Citus it has the sessions of the shard group of all accounts of its database. */
export async function groupCtx(env?: Record<string, string>): Promise<TestCtx> {
  const { url, groupUrl } = await testDatabase()
  if (url === groupUrl) return ctxOn(url, [], env)
  const ctx = ctxOn(groupUrl, nodeSettings, env)
  const { close, ...pools } = createPools(url, { settings: nodeSettings })
  for (const pool of [pools.db, pools.reads, pools.background]) simulateTime(pool, ctx.clock)
  noteCoordinator(ctx, pools)
  for (const { pool } of [ctx.db, ctx.reads, ctx.background]) {
    routeQueries(pool, pools.db.pool)
    alterShards(pool)
  }
  return {
    ...ctx,
    async close() {
      await Promise.all([ctx.close(), close()])
    },
  }
}

export function ctxOn(url: string, settings: readonly string[], env: Record<string, string> = {}): TestCtx {
  const config = parseConfig({
    PUBLIC_URL: 'http://gateway.test',
    LOG_LEVEL: 'silent',
    // The cheapest hash: few tests are about its cost.
    PASSWORD_MEMORY_MIB: '7',
    ...env,
  })
  const { close, ...pools } = createPools(url, { settings })
  const mails: Mail[] = []
  const keys = keysOf(testMasterKey)
  let now = new Date('2026-11-20T09:30:00.000Z')
  let sequence = 0
  const clock = {
    now: () => new Date(now),
    advance: (ms: number) => {
      now = plusMs(now, ms)
    },
  }
  for (const pool of [pools.db, pools.reads, pools.background]) simulateTime(pool, clock)
  return {
    config,
    keys,
    ...pools,
    databaseUrl: url,
    clock,
    files: createFiles(config, keys.fileEncryption, clock),
    disk: createDiskSpace(config, createLog('silent')),
    ids: {
      ...systemIds,
      next: (kind) => {
        sequence += 1
        return idFrom(kind, v7({ msecs: now.getTime(), seq: sequence }))
      },
    },
    jobs,
    mailer: {
      async send(_tx, content) {
        mails.push(renderedOnDemand(content))
      },
    },
    mails,
    log: createLog(config.logLevel),
    tracing: null,
    close,
  }
}

/** Not rendered when it is sent, because the code under test then holds locks. */
function renderedOnDemand(content: EmailContent): Mail {
  let rendered: Mail | undefined
  const mail = (): Mail => {
    rendered ??= renderEmail(content)
    return rendered
  }
  return {
    get to() {
      return mail().to
    },
    get replyTo() {
      return mail().replyTo
    },
    get subject() {
      return mail().subject
    },
    get text() {
      return mail().text
    },
    get html() {
      return mail().html
    },
  }
}
