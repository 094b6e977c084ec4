import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { answersForgetter, KeyCache } from './modules/applications/index.ts'
import {
  deleteUnprovenAccounts,
  discardUnusedDocuments,
  identityJobs,
  pruneIdentity,
} from './modules/identity/index.ts'
import { aggregateLedgerBalances, compareLedger } from './modules/ledger/index.ts'
import { createLive } from './modules/live/index.ts'
import {
  aggregatePaymentStats,
  callbackActions,
  checkDue,
  comparePayments,
  expireDue,
  paymentsCtx,
  reportWatchLag,
} from './modules/payments/index.ts'
import { createProviders, forgetCallbacks, retryCallbacks } from './modules/providers/index.ts'
import { forgetOldEvents, startRelay } from './modules/webhooks/index.ts'
import { createBackgroundTasks } from './platform/async/background-tasks.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { deriveKeys, developmentMasterKey } from './platform/crypto/keys.ts'
import type { Ctx } from './platform/ctx.ts'
import { createDatabase, indexPlansOnly } from './platform/db/database.ts'
import { createDatabaseClock } from './platform/db/database-clock.ts'
import { settleMode } from './platform/db/deployment-mode.ts'
import { createPools, inBackground } from './platform/db/pools.ts'
import { type EventLoopWatch, watchEventLoop } from './platform/event-loop.ts'
import { createDiskSpace } from './platform/files/disk-space.ts'
import { createFiles } from './platform/files/files.ts'
import { createIds } from './platform/ids.ts'
import { createHeartbeat } from './platform/jobs/heartbeat.ts'
import { JOB_POLL_MS, jobs, migrateJobs, startJobs } from './platform/jobs/jobs.ts'
import { freeOrphans } from './platform/jobs/orphans.ts'
import { startSweeper } from './platform/jobs/sweeper.ts'
import { deleteExpiredLimits } from './platform/limits/limits.ts'
import type { Log } from './platform/log.ts'
import { mailTransport } from './platform/mail/mail-transport.ts'
import { createMailbox } from './platform/mail/mailbox.ts'
import { createMailer, sendMailJob } from './platform/mail/mailer.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { targetsFor } from './platform/outbound/targets.ts'

export interface Gateway {
  readonly app: FastifyInstance
  readonly eventLoop: Pick<EventLoopWatch, 'read'>
  /** Takes no new call, finishes what is in flight, and lets go of the database. */
  stop(): Promise<void>
}

const CHECK_PAUSE_MS = 500
/** How old a reading of the disk's free space may be. */
const DISK_PAUSE_MS = 5000
/** How long what a dead process had taken may wait. */
const ORPHANS_PAUSE_MS = 10_000
/** How long a payment may stand as pending after its time. */
const EXPIRE_PAUSE_MS = 1000
const WATCH_LAG_PAUSE_MS = 60_000
const CALLBACK_PAUSE_MS = 30_000
/** How long a change waits at most until the open dashboards hear of it. */
const AGGREGATE_PAUSE_MS = 300
const AGGREGATE_LEDGER_PAUSE_MS = 1000
const COMPARE_PAUSE_MS = 3_600_000
const FORGET_PAUSE_MS = 60_000
const FORGET_ANSWERS_PAUSE_MS = 1000
const DISCARD_PAUSE_MS = 600_000
/** How often the process's clock is compared with the database's. */
const CLOCK_PAUSE_MS = 60_000
/** What the relay has done at least once in so long. */
const RELAY_PAUSE_MS = 1000
const WEBHOOK_TIMEOUT_MS = 15_000

/** The API and the worker over a migrated database. */
export async function createGateway(
  config: Config,
  log: Log,
  databaseUrl: string,
  webBuild: () => Promise<string>,
): Promise<Gateway> {
  const { close: closePools, ...pools } = createPools(databaseUrl)
  const clock = await createDatabaseClock(pools.background.pool, log)
  await settleMode(pools.db, config.keyMode)
  await migrateJobs(pools.background, log)

  const keys = deriveKeys(config.masterKey ?? developmentMasterKey(config.dataDir))
  const mailbox =
    config.mode === 'development' ? createMailbox(join(config.dataDir, 'mail'), systemClock) : null
  const transport = mailTransport(config, mailbox)

  const disk = createDiskSpace(config, log)
  await disk.measure().catch((error: unknown) => {
    log.error({ err: error }, 'the free disk space cannot be read: no request is refused for it')
  })
  const base: Ctx = {
    config,
    keys,
    ...pools,
    clock,
    ids: createIds(clock),
    jobs,
    mailer: createMailer(jobs, keys.jobSeal),
    files: createFiles(config, keys.fileSeal, clock),
    disk,
    log,
  }
  const backgroundTasks = createBackgroundTasks(log)
  const ctx = paymentsCtx(base, createProviders(config), backgroundTasks)
  const background = inBackground(ctx)

  const keyCache = new KeyCache()
  await keyCache.connect(ctx, databaseUrl)
  const live = createLive(ctx)
  await live.connect(databaseUrl)
  let stopping = false

  async function ready(): Promise<string | null> {
    if (stopping) return 'stopping'
    const clockFault = clock.fault()
    if (clockFault !== null) return clockFault
    try {
      await pools.db.pool.query('select 1')
      return null
    } catch {
      return 'the database does not answer'
    }
  }

  const targets = targetsFor(config)
  const heartbeat = createHeartbeat(systemClock)
  const app = await buildApp({
    ctx,
    keyCache,
    targets,
    live,
    heartbeat,
    ready,
    mailbox,
    webBuild: await webBuild(),
  })
  const runner = await startJobs(
    databaseUrl,
    [sendMailJob(transport, keys.jobSeal, log), ...identityJobs(background)],
    log,
    heartbeat.watch(JOB_POLL_MS),
  )
  const relayDb = createDatabase(databaseUrl, { maxConnections: 4, planSettings: indexPlansOnly })
  const relay = startRelay(
    { ...base, db: relayDb },
    createOutbound(targets, { timeoutMs: WEBHOOK_TIMEOUT_MS }),
    heartbeat.watch(RELAY_PAUSE_MS),
  )
  // Look-ups and callbacks end in an outcome of a payment, for which its payer waits: they use the sessions of payments.
  const sweepers = [
    startSweeper('measure-disk', DISK_PAUSE_MS, () => disk.measure(), log, heartbeat.watch(DISK_PAUSE_MS)),
    startSweeper(
      'measure-clock',
      CLOCK_PAUSE_MS,
      () => clock.measure(),
      log,
      heartbeat.watch(CLOCK_PAUSE_MS),
    ),
    startSweeper(
      'free-orphans',
      ORPHANS_PAUSE_MS,
      () => freeOrphans(background.db.kysely),
      log,
      heartbeat.watch(ORPHANS_PAUSE_MS),
    ),
    startSweeper(
      'check-due',
      CHECK_PAUSE_MS,
      async () => {
        await checkDue(ctx)
      },
      log,
      heartbeat.watch(CHECK_PAUSE_MS),
    ),
    startSweeper(
      'report-watch-lag',
      WATCH_LAG_PAUSE_MS,
      () => reportWatchLag(background),
      log,
      heartbeat.watch(WATCH_LAG_PAUSE_MS),
    ),
    startSweeper(
      'expire-due',
      EXPIRE_PAUSE_MS,
      () => expireDue(background),
      log,
      heartbeat.watch(EXPIRE_PAUSE_MS),
    ),
    startSweeper(
      'aggregate-payment-stats',
      AGGREGATE_PAUSE_MS,
      () => aggregatePaymentStats(background),
      log,
      heartbeat.watch(AGGREGATE_PAUSE_MS),
    ),
    startSweeper(
      'aggregate-ledger-balances',
      AGGREGATE_LEDGER_PAUSE_MS,
      () => aggregateLedgerBalances(background),
      log,
      heartbeat.watch(AGGREGATE_LEDGER_PAUSE_MS),
    ),
    // Not listened for: with many transfers a round takes its time. One after the other, so that both occupy one session.
    startSweeper(
      'compare',
      COMPARE_PAUSE_MS,
      async (signal) => {
        await compareLedger(background, signal)
        await comparePayments(background, signal)
      },
      log,
    ),
    startSweeper(
      'retry-callbacks',
      CALLBACK_PAUSE_MS,
      async () => {
        await retryCallbacks(ctx, backgroundTasks, callbackActions(ctx))
      },
      log,
      heartbeat.watch(CALLBACK_PAUSE_MS),
    ),
    startSweeper(
      'forget-limits',
      FORGET_PAUSE_MS,
      async () => {
        await deleteExpiredLimits(background)
        await pruneIdentity(background)
        await deleteUnprovenAccounts(background)
      },
      log,
      heartbeat.watch(FORGET_PAUSE_MS),
    ),
    startSweeper(
      'forget-answers',
      FORGET_ANSWERS_PAUSE_MS,
      answersForgetter(background),
      log,
      heartbeat.watch(FORGET_ANSWERS_PAUSE_MS),
    ),
    startSweeper(
      'discard-unused-documents',
      DISCARD_PAUSE_MS,
      async () => {
        await discardUnusedDocuments(background)
        await forgetCallbacks(background)
        await forgetOldEvents(background)
      },
      log,
      heartbeat.watch(DISCARD_PAUSE_MS),
    ),
  ]

  // Not before: to load the pages takes the loop for longer than it may be delayed later.
  const eventLoop = watchEventLoop(log)
  return {
    app,
    eventLoop,
    async stop() {
      stopping = true
      // These would stay open for as long as somebody looks at the dashboard.
      await live.close()
      // A large file would take longer than a stop may.
      ctx.exports.close()
      // A connection that was busy when the close began turns idle later, and would be kept alive for a minute.
      const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
      await app.close()
      clearInterval(closeIdle)
      await Promise.all([...sweepers.map((sweeper) => sweeper.stop()), relay.stop()])
      await backgroundTasks.drain()
      await runner.stop()
      await keyCache.close()
      await relayDb.close()
      await closePools()
      eventLoop.stop()
    },
  }
}
