import type { GatewayConfig } from './gateway-config.ts'
import type { SharedContext } from './gateway-context.ts'
import { checkoutTasks } from './modules/checkout/index.ts'
import { identityJobs, identityTasks } from './modules/identity/index.ts'
import { ledgerTasks } from './modules/ledger/index.ts'
import { callbackActions, type PaymentsCtx, paymentTasks } from './modules/payments/index.ts'
import { type ProviderCalls, providerTasks } from './modules/providers/index.ts'
import { type Relay, startRelay, webhookTasks } from './modules/webhooks/index.ts'
import { createDatabase, type Database, indexPlansOnly } from './platform/db/database.ts'
import { inBackground } from './platform/db/pools.ts'
import type { Heartbeat } from './platform/jobs/heartbeat.ts'
import { JOB_POLL_MS, type JobRunner, startJobs } from './platform/jobs/jobs.ts'
import { type PeriodicTask, startPeriodicTask } from './platform/jobs/periodic-task.ts'
import { platformTasks } from './platform/jobs/platform-tasks.ts'
import { mailTransport } from './platform/mail/mail-transport.ts'
import { sendMailJob } from './platform/mail/mailer.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import type { Targets } from './platform/outbound/targets.ts'

/** The longest time between two rounds of the relay. */
const RELAY_PAUSE_MS = 1000
const WEBHOOK_TIMEOUT_MS = 15_000

interface Parts extends Pick<SharedContext, 'clock' | 'mailbox'> {
  readonly config: GatewayConfig
  readonly databaseUrl: string
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
  readonly jobs: JobRunner
  readonly relay: Relay
  readonly relayDb: Database
}

/** @param works false for the tasks of this process's own memory only */
export async function startBackgroundWork(parts: Parts, works: boolean): Promise<BackgroundWork> {
  const { ctx, heartbeat } = parts
  const worker = works ? await startWorker(parts) : null
  const tasks = tasksOf(parts)
    .filter(({ isLocal }) => works || isLocal)
    .map((task) => startPeriodicTask(task, ctx.log, heartbeat))
  return {
    worker,
    async stop() {
      await Promise.all([...tasks.map((task) => task.stop()), worker?.relay.stop()])
      await ctx.backgroundTasks.drain()
      await worker?.jobs.stop()
      await worker?.relayDb.close()
    },
  }
}

async function startWorker({
  config,
  databaseUrl,
  ctx,
  mailbox,
  targets,
  heartbeat,
}: Parts): Promise<Worker> {
  const { log, keys } = ctx
  const sendMail = sendMailJob(mailTransport(config, mailbox), keys.jobEncryption, log)
  const jobs = await startJobs(
    databaseUrl,
    [sendMail, ...identityJobs(inBackground(ctx))],
    log,
    heartbeat.watch('jobs', JOB_POLL_MS),
  )
  const relayDb = createDatabase(databaseUrl, { maxConnections: 4, planSettings: indexPlansOnly })
  const relay = startRelay(
    { ...ctx, db: relayDb },
    createOutbound(targets, { timeoutMs: WEBHOOK_TIMEOUT_MS }),
    heartbeat.watch('relay-events', RELAY_PAUSE_MS),
  )
  return { jobs, relay, relayDb }
}

function tasksOf({ ctx, clock, calls }: Parts): PeriodicTask[] {
  const background = inBackground(ctx)
  return [
    ...platformTasks(background, clock),
    ...identityTasks(background),
    ...ledgerTasks(background),
    ...providerTasks(ctx, background, ctx.backgroundTasks, callbackActions(ctx), calls),
    ...webhookTasks(background),
    ...paymentTasks(ctx, background),
    ...checkoutTasks(background),
  ]
}
