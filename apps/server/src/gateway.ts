import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { encryptedValues } from './encrypted-values.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { KeyCache } from './modules/applications/index.ts'
import { checkoutTasks } from './modules/checkout/index.ts'
import { identityJobs, identityTasks } from './modules/identity/index.ts'
import { balancesPosition, ledgerMetrics, ledgerTasks } from './modules/ledger/index.ts'
import { createLive } from './modules/live/index.ts'
import { callbackActions, paymentMetrics, paymentsCtx, paymentTasks } from './modules/payments/index.ts'
import {
  connectProviders,
  createProviderCalls,
  providerMetrics,
  providerTasks,
} from './modules/providers/index.ts'
import { newestEventPosition, startRelay, webhookMetrics, webhookTasks } from './modules/webhooks/index.ts'
import { createBackgroundTasks } from './platform/async/background-tasks.ts'
import { cachedFor } from './platform/async/cached.ts'
import { systemClock } from './platform/clock.ts'
import { requireMasterKeys } from './platform/crypto/encrypted-values.ts'
import { masterKeysOf } from './platform/crypto/keys.ts'
import { openLiveKeys } from './platform/crypto/live-keys.ts'
import type { Ctx } from './platform/ctx.ts'
import { createDatabase, indexPlansOnly } from './platform/db/database.ts'
import { createDatabaseClock } from './platform/db/database-clock.ts'
import { recordMode } from './platform/db/deployment-mode.ts'
import { checkDatabase, createPools, inBackground, metricsPool } from './platform/db/pools.ts'
import { continuePositions } from './platform/db/positions.ts'
import { watchEventLoop } from './platform/event-loop.ts'
import { createDiskSpace } from './platform/files/disk-space.ts'
import { createFiles } from './platform/files/files.ts'
import { createHealthServer } from './platform/http/health.ts'
import { createIds } from './platform/ids.ts'
import { createHeartbeat, type WorkerHealth } from './platform/jobs/heartbeat.ts'
import { JOB_POLL_MS, jobs, migrateJobs, startJobs } from './platform/jobs/jobs.ts'
import { isAnyRunnerAlive } from './platform/jobs/orphans.ts'
import { startPeriodicTask } from './platform/jobs/periodic-task.ts'
import { platformTasks } from './platform/jobs/platform-tasks.ts'
import type { Log } from './platform/log.ts'
import { mailTransport } from './platform/mail/mail-transport.ts'
import { createMailbox } from './platform/mail/mailbox.ts'
import { createMailer, sendMailJob } from './platform/mail/mailer.ts'
import type { MetricsServer } from './platform/metrics/metrics-server.ts'
import { platformFigures } from './platform/metrics/platform-figures.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { targetsFor } from './platform/outbound/targets.ts'

export interface Gateway {
  readonly app: FastifyInstance
  /** Null without METRICS_PORT. */
  readonly metricsServer: MetricsServer | null
  /** Continues to serve, but is not ready any more: proxies turn to other processes. */
  drain(): void
  /** Accepts no new call, finishes the calls and tasks in progress, and closes the connections to the database. */
  stop(): Promise<void>
}

/** The longest time between two rounds of the relay. */
const RELAY_PAUSE_MS = 1000
const WEBHOOK_TIMEOUT_MS = 15_000
const OTHER_WORKERS_CACHED_MS = 1000

/** The parts of a gateway that a process runs, by its role. */
const roles = {
  all: { serves: true, works: true },
  api: { serves: true, works: false },
  worker: { serves: false, works: true },
}

/** The API and the worker over a migrated database, or one of both. */
export async function createGateway(
  config: GatewayConfig,
  log: Log,
  databaseUrl: string,
  webBuild: () => Promise<string>,
): Promise<Gateway> {
  const { serves, works } = roles[config.role]
  const { close: closePools, ...pools } = createPools(databaseUrl)
  const clock = await createDatabaseClock(pools.background.pool, log)
  await recordMode(pools.db, config.keyMode)
  const stored = [await newestEventPosition(pools.db.kysely), await balancesPosition(pools.db.kysely)]
  await continuePositions(pools.db.kysely, stored)
  await migrateJobs(pools.background, log)

  const liveKeys = await openLiveKeys(databaseUrl, pools.background, masterKeysOf(config), log)
  const { keys } = liveKeys
  await requireMasterKeys(pools.background.kysely, keys.ring, encryptedValues)
  const mailbox =
    config.mode === 'development' ? createMailbox(join(config.dataDir, 'mail'), systemClock) : null
  const transport = mailTransport(config, mailbox)

  const disk = createDiskSpace(config, log)
  await disk.measure().catch((error: unknown) => {
    log.error({ err: error }, 'the free disk space cannot be read: no request is refused for it')
  })
  // The SDK takes memory and time to load, in the processes that use it only.
  const tracing =
    config.tracing && (await import('./platform/tracing/otlp.ts')).startTracing(config.tracing, log)
  const base: Ctx = {
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
  }
  const backgroundTasks = createBackgroundTasks(log)
  const calls = createProviderCalls({ db: pools.db, background: pools.background, log }, config.callLimits)
  const { providers, close: closeProviders } = await connectProviders(
    { ...base, config },
    databaseUrl,
    calls.guard,
  )
  const ctx = paymentsCtx(base, providers, backgroundTasks, calls)
  const background = inBackground(ctx)

  const keyCache = new KeyCache()
  const live = createLive(ctx)
  if (serves) {
    await keyCache.connect(ctx, databaseUrl)
    await live.connect(databaseUrl)
  }
  let stopping = false

  const heartbeat = createHeartbeat(systemClock)

  async function ready(): Promise<string | null> {
    if (stopping) return 'stopping'
    const clockError = clock.error()
    if (clockError !== null) return clockError
    const keyError = liveKeys.error()
    if (keyError !== null) return keyError
    try {
      await checkDatabase(pools)
    } catch {
      return 'the database does not answer'
    }
    return serves || heartbeat.state() === 'operational' ? null : 'the background work is late'
  }

  // The client of Prometheus is loaded in the processes that serve metrics only.
  const metrics =
    config.metricsPort === null ? null : (await import('./platform/metrics/metrics.ts')).createMetrics(log)
  const metricsServer =
    metrics && (await import('./platform/metrics/metrics-server.ts')).createMetricsServer(metrics, log)
  const targets = targetsFor(config)
  const otherWorkers: WorkerHealth = {
    state: cachedFor(clock, OTHER_WORKERS_CACHED_MS, async () =>
      (await isAnyRunnerAlive(pools.background.kysely)) ? 'operational' : 'down',
    ),
  }
  const app = serves
    ? await buildApp({
        ctx,
        keyCache,
        targets,
        live,
        worker: works ? heartbeat : otherWorkers,
        ready,
        mailbox,
        webBuild: await webBuild(),
        metrics,
      })
    : createHealthServer(config, log, ready)
  const runner = works
    ? await startJobs(
        databaseUrl,
        [sendMailJob(transport, keys.jobEncryption, log), ...identityJobs(background)],
        log,
        heartbeat.watch('jobs', JOB_POLL_MS),
      )
    : null
  const relayDb = works
    ? createDatabase(databaseUrl, { maxConnections: 4, planSettings: indexPlansOnly })
    : null
  const relay =
    relayDb &&
    startRelay(
      { ...base, db: relayDb },
      createOutbound(targets, { timeoutMs: WEBHOOK_TIMEOUT_MS }),
      heartbeat.watch('relay-events', RELAY_PAUSE_MS),
    )
  const tasks = [
    ...platformTasks(background, clock),
    ...identityTasks(background),
    ...ledgerTasks(background),
    ...providerTasks(ctx, background, backgroundTasks, callbackActions(ctx), calls),
    ...webhookTasks(background),
    ...paymentTasks(ctx, background),
    ...checkoutTasks(background),
  ]
    .filter(({ isLocal }) => works || isLocal)
    .map((task) => startPeriodicTask(task, log, heartbeat))

  // Started last: loading the pages blocks the event loop for longer than a later delay may.
  const eventLoop = watchEventLoop(log)
  const metricsDb = metrics && metricsPool(databaseUrl)
  if (metrics && metricsDb) {
    const { db, reads, background } = pools
    const figures = [
      ...platformFigures(metricsDb, {
        eventLoop,
        heartbeat,
        pools: {
          payments: db.pool,
          reads: reads.pool,
          background: background.pool,
          ...(relayDb && { relay: relayDb.pool }),
          ...(runner && { jobs: runner.pool }),
        },
        dataDir: config.dataDir,
        clockSkewMs: clock.skewMs,
      }),
      ...ledgerMetrics(metricsDb),
      ...providerMetrics(calls, metricsDb),
      ...webhookMetrics(relay?.counts ?? null, metricsDb),
      ...paymentMetrics(ctx, metricsDb),
    ]
    for (const each of figures) metrics.add(each)
  }
  return {
    app,
    metricsServer,
    drain() {
      stopping = true
    },
    async stop() {
      stopping = true
      await metricsServer?.close()
      // An event stream would stay open as long as its dashboard.
      await live.close()
      // A large export would take longer than the deadline of a stop.
      ctx.exports.close()
      // A connection that was busy when the close began becomes idle later, and would be kept alive for a minute.
      const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
      await app.close()
      clearInterval(closeIdle)
      await Promise.all([...tasks.map((task) => task.stop()), relay?.stop()])
      await backgroundTasks.drain()
      await runner?.stop()
      await keyCache.close()
      await liveKeys.close()
      await closeProviders()
      await relayDb?.close()
      await metricsDb?.close()
      await closePools()
      await tracing?.stop()
      eventLoop.stop()
    },
  }
}
