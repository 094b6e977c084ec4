import type { GatewayConfig } from './gateway-config.ts'
import type { SharedContext } from './gateway-context.ts'
import { applicationTasks } from './modules/applications/index.ts'
import { checkoutTasks } from './modules/checkout/index.ts'
import { identityJobs, identityTasks } from './modules/identity/index.ts'
import { ledgerTasks } from './modules/ledger/index.ts'
import { operatorTasks } from './modules/operators/index.ts'
import { callbackActions, type PaymentsCtx, paymentTasks } from './modules/payments/index.ts'
import { type ProviderCalls, providerTasks } from './modules/providers/index.ts'
import { statusReader } from './modules/site/index.ts'
import { type Relay, startRelay, webhookTasks } from './modules/webhooks/index.ts'
import { sealAuditTask } from './platform/audit/audit-seals.ts'
import type { Ctx } from './platform/ctx.ts'
import { createDatabase, type Database, indexPlansOnly } from './platform/db/database.ts'
import type { DatabaseClock } from './platform/db/database-time.ts'
import type { Databases, PerDatabase } from './platform/db/databases.ts'
import { inBackground } from './platform/db/pools.ts'
import { moveEarlierJobsTask } from './platform/jobs/earlier-jobs.ts'
import type { Heartbeat } from './platform/jobs/heartbeat.ts'
import { createRunRecorder, jobRunTasks, type RunRecorder } from './platform/jobs/job-runs.ts'
import { JOB_POLL_MS, type JobRunner, startJobs } from './platform/jobs/jobs.ts'
import { type PeriodicTask, startPeriodicTask } from './platform/jobs/periodic-task.ts'
import { deleteExpiredLimits } from './platform/limits/limits.ts'
import { mailTransport, sendMailJob } from './platform/mail/mailer.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import type { Targets } from './platform/outbound/targets.ts'

/** The longest time between two rounds of the relay. */
const RELAY_PAUSE_MS = 1000
const WEBHOOK_TIMEOUT_MS = 15_000

interface Parts extends Pick<SharedContext, 'clock' | 'mailbox'> {
  readonly config: GatewayConfig
  readonly databases: Databases
  readonly ctxs: PerDatabase<PaymentsCtx>
  readonly ctx: PaymentsCtx
  readonly calls: ProviderCalls
  readonly targets: Targets
  readonly heartbeat: Heartbeat
}

/** The work of a process beside its requests. */
export interface BackgroundWork {
  /** Null in a process that leaves jobs and deliveries to the workers. */
  readonly worker: Worker | null
  stop(): Promise<void>
}

interface Worker {
  /** Of each node; the coordinator's is the first. */
  readonly jobs: readonly [JobRunner, ...JobRunner[]]
  /** Of each database. */
  readonly relays: readonly [RelayOn, ...RelayOn[]]
}

interface RelayOn {
  readonly relay: Relay
  readonly db: Database
}

/** @param works false for the tasks of this process's own memory only */
export async function startBackgroundWork(parts: Parts, works: boolean): Promise<BackgroundWork> {
  const { ctx, heartbeat } = parts
  const background = inBackground(ctx)
  const recorder = createRunRecorder(background)
  const worker = works ? await startWorker(parts, recorder) : null
  const tasks = [...tasksOf(parts), ...jobRunTasks(background, recorder)]
    .filter(({ isLocal }) => works || isLocal)
    .map((task) => recorded(task, recorder))
    .map((task) => startPeriodicTask(task, ctx.log, heartbeat))
  return {
    worker,
    async stop() {
      await Promise.all(
        [...tasks, ...(worker?.relays.map(({ relay }) => relay) ?? [])].map((each) => each.stop()),
      )
      await ctx.backgroundTasks.drain()
      await Promise.all((worker?.jobs ?? []).map((runner) => runner.stop()))
      await recorder
        .write()
        .catch((error: unknown) => ctx.log.error({ err: error }, 'the last runs were not recorded'))
      await Promise.all((worker?.relays ?? []).map(({ db }) => db.close()))
    },
  }
}

/** Tasks of a process's own memory are no jobs. */
const recorded = <Task extends PeriodicTask>(task: Task, recorder: RunRecorder): Task =>
  task.isLocal ? task : { ...task, run: (signal) => recorder.record(task.name, () => task.run(signal)) }

async function startWorker(parts: Parts, recorder: RunRecorder): Promise<Worker> {
  const { config, ctx, databases, mailbox, heartbeat } = parts
  const { log, keys } = ctx
  const sendMail = sendMailJob(mailTransport(config, mailbox), keys.jobEncryption, log)
  const handlers = [sendMail, ...identityJobs(inBackground(ctx))].map((job) => ({
    ...job,
    run: (payload: unknown) => recorder.record(job.name, () => job.run(payload)),
  }))
  const start = (url: string) => startJobs(url, handlers, log, heartbeat.watch('jobs', JOB_POLL_MS))
  const [coordinator, ...nodes] = databases.nodeUrls
  const jobs = [await start(coordinator), ...(await Promise.all(nodes.map(start)))] as const
  const relays = databases.sessions.map(({ url, settings, poolSizes }) =>
    relayOn(
      parts,
      createDatabase(url, { maxConnections: poolSizes.relay, planSettings: indexPlansOnly, settings }),
    ),
  )
  return { jobs, relays: relays.each }
}

const relayOn = ({ ctx, targets, heartbeat }: Parts, db: Database): RelayOn => ({
  db,
  relay: startRelay(
    { ...ctx, db },
    createOutbound(targets, { timeoutMs: WEBHOOK_TIMEOUT_MS }),
    heartbeat.watch('relay-events', RELAY_PAUSE_MS),
  ),
})

function tasksOf({ ctx, databases, ctxs, clock, calls, heartbeat }: Parts): PeriodicTask[] {
  const background = inBackground(ctx)
  return [
    ...platformTasks(background, clock),
    ...databases.onOtherNodes(ctxs).map(({ background: { kysely } }) => moveEarlierJobsTask(kysely)),
    ...identityTasks(background),
    ...operatorTasks(background, statusReader(ctx, ctx.providers, heartbeat)),
    ...providerTasks(ctx, background, ctx.backgroundTasks, callbackActions(ctx, ctxs.of), calls),
    ...ctxs.each.flatMap(tasksOfDatabase),
  ]
}

function tasksOfDatabase(ctx: PaymentsCtx): PeriodicTask[] {
  const background = inBackground(ctx)
  return [
    ...applicationTasks(background),
    ...ledgerTasks(background),
    ...webhookTasks(background),
    ...paymentTasks(ctx, background),
    ...checkoutTasks(background),
  ]
}

export const platformTasks = (ctx: Ctx, clock: DatabaseClock): PeriodicTask[] => [
  { name: 'measure-disk', pauseMs: 5000, isLocal: true, run: () => ctx.disk.measure() },
  { name: 'measure-clock', pauseMs: 60_000, isLocal: true, run: () => clock.measure() },
  moveEarlierJobsTask(ctx.db.kysely),
  sealAuditTask(ctx),
  { name: 'delete-expired-limits', pauseMs: 60_000, run: () => deleteExpiredLimits(ctx) },
]
