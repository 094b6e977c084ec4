import type { BackgroundWork } from './background-work.ts'
import { identityJobs } from './modules/identity/index.ts'
import { ledgerMetrics } from './modules/ledger/index.ts'
import { type PaymentsCtx, paymentMetrics } from './modules/payments/index.ts'
import { type ProviderCalls, providerMetrics } from './modules/providers/index.ts'
import { webhookMetrics } from './modules/webhooks/index.ts'
import { backupFigures } from './platform/backup/backup-figures.ts'
import type { Config } from './platform/config.ts'
import type { DatabaseClock } from './platform/db/database-time.ts'
import type { Databases } from './platform/db/databases.ts'
import { metricsPool } from './platform/db/pools.ts'
import type { Heartbeat } from './platform/jobs/heartbeat.ts'
import type { Log } from './platform/log.ts'
import { MAIL_JOB } from './platform/mail/mailer.ts'
import type { EventLoopWatch } from './platform/metrics/event-loop.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { MetricsServer } from './platform/metrics/metrics-server.ts'
import { platformFigures } from './platform/metrics/platform-figures.ts'

interface GatewayMetrics {
  readonly metrics: Metrics
  readonly metricsServer: MetricsServer
}

/** The client of Prometheus is loaded in the processes that serve metrics only. */
export async function createGatewayMetrics(
  { metricsPort }: Config,
  log: Log,
): Promise<GatewayMetrics | Record<keyof GatewayMetrics, null>> {
  if (metricsPort === null) return { metrics: null, metricsServer: null }
  const metrics = (await import('./platform/metrics/metrics.ts')).createMetrics(log)
  const { createMetricsServer } = await import('./platform/metrics/metrics-server.ts')
  return { metrics, metricsServer: createMetricsServer(metrics, log) }
}

interface Parts {
  readonly ctx: PaymentsCtx
  readonly databases: Databases
  readonly clock: DatabaseClock
  readonly calls: ProviderCalls
  readonly work: BackgroundWork
  readonly heartbeat: Heartbeat
  readonly eventLoop: EventLoopWatch
}

/** Adds the figures of the platform and of the modules, and returns the pool of connections that they are read with. */
export function addFigures(metrics: Metrics, databaseUrl: string, parts: Parts) {
  const { ctx, databases, clock, calls, heartbeat, eventLoop } = parts
  const { worker } = parts.work
  const db = metricsPool(databaseUrl)
  const pools = {
    payments: ctx.db.pool,
    reads: ctx.reads.pool,
    background: ctx.background.pool,
    ...(worker && { relay: worker.relays[0].db.pool, jobs: worker.jobs[0].pool }),
  }
  const figures = [
    ...platformFigures(db, {
      eventLoop,
      heartbeat,
      pools,
      dataDir: ctx.config.dataDir,
      clockSkewMs: clock.skewMs,
      jobKinds: [MAIL_JOB, ...identityJobs(ctx).map(({ name }) => name)],
    }),
    backupFigures(db, ctx.config, ctx.clock),
    ...ledgerMetrics(databases.metricsPools(db)),
    ...providerMetrics(calls, db),
    ...webhookMetrics(worker?.relays.map(({ relay }) => relay) ?? [], db),
    ...paymentMetrics(ctx, db),
  ]
  for (const each of figures) metrics.add(each)
  return db
}
