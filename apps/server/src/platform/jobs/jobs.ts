import { EventEmitter } from 'node:events'
import { Logger, run, runMigrations, type WorkerEvents, type Logger as WorkerLogger } from 'graphile-worker'
import { sql } from 'kysely'
import { createPool, type Database, runPrepared, type Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { holdLife } from './orphans.ts'

/** Work that is done later, at least once: running it twice must be harmless. */
export interface Job {
  readonly name: string
  run(payload: unknown): Promise<void>
}

export interface Jobs {
  /** Part of the caller's transaction: the job exists if and only if the commit does. */
  enqueue(
    tx: Tx,
    name: string,
    payload: object,
    options?: { maxAttempts?: number; runAt?: Date },
  ): Promise<void>
}

export const jobs: Jobs = {
  async enqueue(tx, name, payload, options = {}) {
    // Of what comes back nothing is needed, and a job has many columns.
    await runPrepared(
      tx,
      'enqueue',
      sql`select from graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => ${options.runAt ?? null}::timestamptz, max_attempts => ${options.maxAttempts ?? 12}::int)`,
    )
  },
}

const workerLogger = (log: Log): WorkerLogger =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })

export async function migrateJobs(db: Database, log: Log): Promise<void> {
  await runMigrations({ pgPool: db.pool, logger: workerLogger(log) })
}

export interface JobRunner {
  /** Lets what runs finish and takes nothing new. */
  stop(): Promise<void>
}

/** Idle workers ask for work this often. */
export const JOB_POLL_MS = 2000

const CONCURRENCY = 4

export async function startJobs(
  databaseUrl: string,
  handlers: readonly Job[],
  log: Log,
  onRound: () => void = () => undefined,
): Promise<JobRunner> {
  // One session more listens for new work. These sessions write no more than who does a job and that it is done, and a job that is done
  // twice does no harm; that it is to be done is on the disk with its cause.
  const pool = createPool(databaseUrl, { maxConnections: CONCURRENCY + 1, asynchronousCommit: true })
  const { promise: id, resolve: named } = Promise.withResolvers<string>()
  const events = new EventEmitter() as WorkerEvents
  events.once('pool:create', ({ workerPool }) => named(workerPool.id))
  const runner = await run({
    events,
    pgPool: pool,
    logger: workerLogger(log),
    concurrency: CONCURRENCY,
    pollInterval: JOB_POLL_MS,
    // One question for all of them: else each that is done asks whether there is more, and mostly there is not.
    preset: { worker: { localQueue: { size: CONCURRENCY } } },
    noHandleSignals: true,
    taskList: Object.fromEntries(handlers.map((job) => [job.name, (payload) => job.run(payload)])),
  })
  // The pool makes its id itself, and tells it to nobody but its listeners.
  const life = await holdLife(databaseUrl, await id, log)
  for (const event of ['localQueue:getJobs:complete', 'job:start', 'job:complete'] as const) {
    runner.events.on(event, onRound)
  }
  // The runner's own promise rejects when its database connection goes for good; the process's health check tells of that.
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped'))
  return {
    async stop() {
      await runner.stop()
      await life.close()
      await pool.end()
    },
  }
}
