import { EventEmitter } from 'node:events'
import { Logger, run, runMigrations, type WorkerEvents, type Logger as WorkerLogger } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import { createPool, type Database, runPrepared, type Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { holdRunnerLock } from './orphans.ts'

/** Work that runs later, at least once: a second run must be harmless. */
export interface Job {
  readonly name: string
  run(payload: unknown): Promise<void>
}

export interface Jobs {
  /** The job is part of the caller's transaction: it exists if and only if the transaction commits. */
  enqueue(
    tx: Tx,
    name: string,
    payload: object,
    options?: { maxAttempts?: number; runAt?: Date },
  ): Promise<void>
}

export const jobs: Jobs = {
  async enqueue(tx, name, payload, options = {}) {
    // The returned row has many columns, and none is needed.
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
  readonly pool: pg.Pool
  /** Waits for running jobs and starts no new ones. */
  stop(): Promise<void>
}

/** The interval at which idle workers poll. */
export const JOB_POLL_MS = 2000

const CONCURRENCY = 4

export async function startJobs(
  databaseUrl: string,
  handlers: readonly Job[],
  log: Log,
  onRound: () => void = () => undefined,
): Promise<JobRunner> {
  // One more session listens for new jobs. These sessions write only the worker and the completion of a job, and a repeated job is
  // harmless; the job itself is committed with its cause.
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
    // One query fetches jobs for all workers: otherwise each worker would poll after each job, mostly in vain.
    preset: { worker: { localQueue: { size: CONCURRENCY } } },
    noHandleSignals: true,
    taskList: Object.fromEntries(handlers.map((job) => [job.name, (payload) => job.run(payload)])),
  })
  // The pool generates its id and passes it only to its listeners.
  const runnerLock = await holdRunnerLock(databaseUrl, await id, log)
  for (const event of ['localQueue:getJobs:complete', 'job:start', 'job:complete'] as const) {
    runner.events.on(event, onRound)
  }
  // The runner's promise rejects when its database connection is lost permanently, which the health check of the process reports.
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped'))
  return {
    pool,
    async stop() {
      await runner.stop()
      await runnerLock.close()
      await pool.end()
    },
  }
}
