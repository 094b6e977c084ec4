import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { startBackgroundWork } from './background-work.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { openContext, type SharedContext } from './gateway-context.ts'
import { addFigures, createGatewayMetrics } from './gateway-metrics.ts'
import { KeyCache } from './modules/applications/index.ts'
import { balancesPosition } from './modules/ledger/index.ts'
import { createLive, type Live } from './modules/live/index.ts'
import { contextOn, type PaymentsCtx, paymentsCtx } from './modules/payments/index.ts'
import { connectProviders, createProviderCalls, takeEnvironmentAccounts } from './modules/providers/index.ts'
import { newestEventPosition } from './modules/webhooks/index.ts'
import { createBackgroundTasks } from './platform/async/background-tasks.ts'
import { cachedFor } from './platform/async/shared-reads.ts'
import { newestAuditPosition } from './platform/audit/audit-seals.ts'
import { systemClock } from './platform/clock.ts'
import type { Ctx } from './platform/ctx.ts'
import { coordinatorOf, type Databases, type PerDatabase, readDatabases } from './platform/db/databases.ts'
import { continuePositions } from './platform/db/positions.ts'
import { createHealthServer } from './platform/http/health.ts'
import { createHeartbeat, type Heartbeat, type WorkerHealth } from './platform/jobs/heartbeat.ts'
import { createJobsTable, isAnyRunnerAlive } from './platform/jobs/jobs.ts'
import type { Log } from './platform/log.ts'
import { watchEventLoop } from './platform/metrics/event-loop.ts'
import type { MetricsServer } from './platform/metrics/metrics-server.ts'
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
  const databases = await readDatabases(databaseUrl)
  const shared = await openContext(config, log, databaseUrl, databases)
  const calls = createProviderCalls(shared.ctx, config.callLimits)
  await takeEnvironmentAccounts({ ...shared.ctx, config })
  const connected = await connectProviders({ ...shared.ctx, config }, databaseUrl, calls.guard)
  const ctx = paymentsCtx(shared.ctx, connected.providers, createBackgroundTasks(log), calls)

  const pools = await databases.openPools(ctx)
  const ctxs = pools.map((each) => contextOn(ctx, each))
  await prepare(ctxs, databases)
  const { keyCache, live } = await openCaches(ctx, ctxs, databases, serves)

  const heartbeat = createHeartbeat(systemClock)
  const readiness = createReadiness(shared, serves ? null : heartbeat)

  const { metrics, metricsServer } = await createGatewayMetrics(config, log)
  const targets = targetsFor(config)
  const app = serves
    ? await buildApp({
        ctx: { ...ctx, config },
        ctxs,
        keyCache,
        targets,
        live,
        worker: works ? heartbeat : otherWorkers(ctx),
        ready: readiness.error,
        mailbox: shared.mailbox,
        webBuild: await webBuild(),
        metrics,
      })
    : createHealthServer(config, log, readiness.error)
  const work = await startBackgroundWork(
    { ...shared, config, databases, ctxs, ctx, calls, targets, heartbeat },
    works,
  )
  // The watch starts last: loading the pages blocks the event loop for longer than the watch tolerates.
  const eventLoop = watchEventLoop(log)
  const parts = { ...shared, ctx, databases, calls, work, heartbeat, eventLoop }
  const metricsDb = metrics && addFigures(metrics, databaseUrl, parts)

  return {
    app,
    metricsServer,
    drain: readiness.end,
    async stop() {
      readiness.end()
      await metricsServer?.close()
      // An event stream would stay open as long as its dashboard.
      await live.close()
      // A large export would take longer than the deadline of a stop.
      ctx.exports.close()
      await closeApp(app)
      await work.stop()
      await keyCache.close()
      await connected.close()
      await metricsDb?.close()
      await pools.close()
      await shared.close()
      eventLoop.stop()
    },
  }
}

/**
 * The reason why a process is not ready, or null.
 * @param heartbeat of a process that only works; null for one that serves
 */
function createReadiness(shared: SharedContext, heartbeat: Heartbeat | null) {
  let stopping = false
  return {
    end(): void {
      stopping = true
    },
    async error(): Promise<string | null> {
      if (stopping) return 'stopping'
      const error = await shared.error()
      if (error !== null) return error
      return heartbeat && heartbeat.state() !== 'operational' ? 'the background work is late' : null
    },
  }
}

/** Each node has a queue of jobs, and each database continues its positions of events and balances. */
async function prepare(ctxs: PerDatabase<PaymentsCtx>, databases: Databases): Promise<void> {
  for (const { background } of databases.onOtherNodes(ctxs)) await createJobsTable(background)
  const newestEntry = await newestAuditPosition(coordinatorOf(ctxs.each[0]).db.kysely)
  for (const { db } of ctxs.each) {
    const stored = [await newestEventPosition(db.kysely), await balancesPosition(db.kysely), newestEntry]
    await continuePositions(db.kysely, stored)
  }
}

/** The caches of keys and of live updates. In a process that serves they listen to changes by other processes. */
async function openCaches(
  ctx: PaymentsCtx,
  ctxs: PerDatabase<PaymentsCtx>,
  { sessions, nodeUrls }: Databases,
  serves: boolean,
) {
  const keyCache = new KeyCache()
  const lives = ctxs.map((each) => createLive(each))
  if (serves) {
    await keyCache.connect(ctx, ...nodeUrls)
    for (const [index, { url }] of sessions.each.entries()) await lives.each[index]?.connect(url)
  }
  const live: Pick<Live, 'open' | 'close'> = {
    open: (caller, carrier) => lives.of(caller.merchantId).open(caller, carrier),
    close: async () => void (await Promise.all(lives.each.map((each) => each.close()))),
  }
  return { keyCache, live }
}

/** The workers of other processes. */
const otherWorkers = ({ clock, background }: Ctx): WorkerHealth => ({
  state: cachedFor(clock, OTHER_WORKERS_CACHED_MS, async () =>
    (await isAnyRunnerAlive(background.kysely)) ? 'operational' : 'down',
  ),
})

async function closeApp(app: FastifyInstance): Promise<void> {
  // A connection that was busy when the close began becomes idle later, and would be kept alive for a minute.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close()
  clearInterval(closeIdle)
}
