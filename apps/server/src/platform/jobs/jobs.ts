import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { createBackgroundTasks } from '../async/background-tasks.ts'
import { createDatabase, type Database, indexPlansOnly, type Queryable, type Tx } from '../db/database.ts'
import { listen } from '../db/listen.ts'
import { advisoryLocks, channels } from '../db/locks-and-channels.ts'
import type { Log } from '../log.ts'
import { startDue } from './due-work.ts'
import { repeatTask } from './periodic-task.ts'
import {
  deleteJob,
  insertJob,
  LEASE_MS,
  postponeJob,
  renewLeases,
  type TakenJob,
  takeJobs,
} from './store-jobs.ts'

/** Work that runs later, at least once: a second run must be harmless. */
export interface Job {
  readonly name: string
  run(payload: unknown): Promise<void>
}

export interface Jobs {
  /** The job is part of the caller's transaction: it exists if and only if the transaction commits. */
  enqueue(tx: Tx, name: string, payload: object, options?: { maxAttempts?: number }): Promise<void>
}

export const jobs: Jobs = {
  enqueue: (tx, name, payload, { maxAttempts = 12 } = {}) => insertJob(tx, name, payload, maxAttempts),
}

const migration = new URL('../../../migrations/0040_jobs.sql', import.meta.url)

/** Creates the queue of jobs of a node that no migration reaches. */
export async function createJobsTable({ pool }: Database): Promise<void> {
  const { rows } = await pool.query("select to_regclass('public.jobs') is not null as exists")
  if (rows[0]?.exists) return
  // Several processes may start at once. The statements of one text are one transaction.
  const lock = `select pg_advisory_xact_lock(${advisoryLocks.migration})`
  await pool.query(`${lock}; ${await readFile(migration, 'utf8')}`)
}

export interface JobRunner {
  readonly pool: pg.Pool
  /** Waits for running jobs and starts no new ones. */
  stop(): Promise<void>
}

/** The interval at which idle workers poll. */
export const JOB_POLL_MS = 2000

const CONCURRENCY = 4
const RENEWAL_MS = 5000

export async function startJobs(
  databaseUrl: string,
  handlers: readonly Job[],
  log: Log,
  onRound: () => void = () => undefined,
): Promise<JobRunner> {
  // These sessions write only the lease and the end of a job, and a repeated job is harmless; the job itself is committed with its cause.
  const db = createDatabase(databaseUrl, {
    maxConnections: 2,
    planSettings: indexPlansOnly,
    asynchronousCommit: true,
  })
  const running = createBackgroundTasks(log)
  const leased = new Set<bigint>()
  const take = (limit: number) => takeJobs(db.kysely, namesOf(handlers), LEASE_MS, limit)

  async function run(job: TakenJob): Promise<void> {
    leased.add(job.id)
    try {
      await runJob(db.kysely, handlers, job, log)
    } finally {
      leased.delete(job.id)
      // All places were taken, so more jobs may be due. This one occupies its place until the present turn of the event loop ends.
      if (leased.size === CONCURRENCY - 1) setImmediate(poll.wake)
    }
  }
  const poll = repeatTask(
    {
      name: 'jobs',
      pauseMs: JOB_POLL_MS,
      run: async () => void (await startDue(running, 'job', CONCURRENCY, take, run)),
    },
    log,
    onRound,
  )
  const renewal = repeatTask(
    {
      name: 'renew-job-leases',
      pauseMs: RENEWAL_MS,
      run: () => renewLeases(db.kysely, [...leased], LEASE_MS),
    },
    log,
  )
  const listener = await listen(
    databaseUrl,
    channels.jobsAdded,
    { onMessage: poll.wake, missed: poll.wake, connected: holdRunnerLock },
    log,
  )
  return {
    pool: db.pool,
    async stop() {
      await poll.stop()
      await running.drain()
      await renewal.stop()
      await listener.close()
      await db.close()
    },
  }
}

const namesOf = (handlers: readonly Job[]): string[] => handlers.map(({ name }) => name)

async function runJob(db: Queryable, handlers: readonly Job[], job: TakenJob, log: Log): Promise<void> {
  try {
    await handlers.find(({ name }) => name === job.kind)?.run(job.payload)
    await deleteJob(db, job.id)
    log.debug({ job: job.kind, jobId: String(job.id) }, 'a job is done')
  } catch (error) {
    log.error({ err: error, job: job.kind, jobId: String(job.id), attempt: job.attempts }, 'a job failed')
    await postponeJob(db, job, error)
  }
}

/** Runs the due jobs of some handlers in this process, and returns when none is due. */
export async function runDueJobs(db: Queryable, handlers: readonly Job[], log: Log): Promise<void> {
  for (;;) {
    const taken = await takeJobs(db, namesOf(handlers), LEASE_MS, CONCURRENCY)
    if (taken.length === 0) return
    await Promise.all(taken.map((job) => runJob(db, handlers, job, log)))
  }
}

/** Marks a runner as alive by a lock that PostgreSQL releases when the process dies. */
const holdRunnerLock = (session: pg.Client): Promise<unknown> =>
  session.query('select pg_advisory_lock_shared($1, 0)', [advisoryLocks.jobRunner])

/** Whether any process of this database runs background work. */
export async function isAnyRunnerAlive(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ is_alive: boolean }>`
    select exists (
      select from pg_locks where locktype = 'advisory' and classid = ${advisoryLocks.jobRunner} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as is_alive`.execute(db)
  return rows[0]?.is_alive ?? false
}
