import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'
import type { Queryable } from '../db/database.ts'
import { databaseNow } from '../db/database-time.ts'
import type { PeriodicTask } from './periodic-task.ts'
import { prune, retentionMs } from './retention.ts'

/** Of the runs of a name without a failure one is recorded in this time: some tasks run several times a second. */
const RECORD_EVERY_MS = 60_000
/** A name that fails all the time records no more than these failures in a round. */
const MOST_FAILURES = 20
const MOST_ERROR_CHARACTERS = 1000
const WRITE_PAUSE_MS = 10_000

interface NewRun {
  readonly name: string
  readonly startedAt: Date
  readonly tookMs: number
  readonly error: string | null
}

/** The runs of this process that are written next. */
export interface RunRecorder {
  /** Runs some work of a name, and records the run. */
  record<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Writes the recorded runs. A failed write leaves them for the next one. */
  write(): Promise<void>
}

export function createRunRecorder({ db, clock }: Pick<Ctx, 'db' | 'clock'>): RunRecorder {
  const recordedAt = new Map<string, number>()
  let unwritten: NewRun[] = []

  function keep(run: NewRun): void {
    const { name, startedAt, error } = run
    const last = recordedAt.get(name)
    if (error === null && last !== undefined && startedAt.getTime() - last < RECORD_EVERY_MS) return
    if (error === null) recordedAt.set(name, startedAt.getTime())
    else if (unwritten.filter((each) => each.name === name).length >= MOST_FAILURES) return
    unwritten.push(run)
  }

  return {
    async record(name, work) {
      const startedAt = clock.now()
      const began = performance.now()
      const end = (error: string | null) =>
        keep({ name, startedAt, tookMs: Math.round(performance.now() - began), error })
      try {
        const result = await work()
        end(null)
        return result
      } catch (error) {
        end(String(error).slice(0, MOST_ERROR_CHARACTERS))
        throw error
      }
    },
    async write() {
      const written = unwritten
      if (written.length === 0) return
      await insertRuns(db.kysely, written)
      unwritten = unwritten.filter((run) => !written.includes(run))
    },
  }
}

async function insertRuns(db: Queryable, runs: readonly NewRun[]): Promise<void> {
  await db
    .insertInto('job_runs')
    .values(
      runs.map(({ name, startedAt, tookMs, error }) => ({
        name,
        started_at: startedAt,
        took_ms: tookMs,
        error,
      })),
    )
    .execute()
}

export const jobRunTasks = (ctx: Pick<Ctx, 'db'>, recorder: RunRecorder): PeriodicTask[] => [
  { name: 'write-job-runs', pauseMs: WRITE_PAUSE_MS, run: () => recorder.write() },
  { name: 'delete-old-job-runs', pauseMs: 600_000, run: (signal) => deleteOldRuns(ctx, signal) },
]

export async function deleteOldRuns(
  { db }: Pick<Ctx, 'db'>,
  signal = new AbortController().signal,
): Promise<void> {
  const afterMs = retentionMs('jobRuns')
  await prune(async (most) => {
    const { numAffectedRows = 0n } = await sql`
      delete from job_runs where ctid in (
        select ctid from job_runs where started_at < ${databaseNow} - ${afterMs} * interval '1 millisecond' limit ${most}
      )`.execute(db.kysely)
    return Number(numAffectedRows)
  }, signal)
}

export interface JobRun extends NewRun {
  readonly id: string
}

const columns = sql`id::text, name, started_at as "startedAt", took_ms as "tookMs", error`

/** The last run of each name. */
export async function lastRuns(db: Queryable): Promise<JobRun[]> {
  // The index has every run of a name: the query reads one for each.
  const { rows } = await sql<JobRun>`
    with recursive names as (
      (select name from job_runs order by name limit 1)
      union all
      select (select name from job_runs where name > names.name order by name limit 1) from names where names.name is not null
    )
    select last.* from names cross join lateral (
      select ${columns} from job_runs where job_runs.name = names.name order by job_runs.id desc limit 1
    ) as last
    order by last.name`.execute(db)
  return rows
}

interface RunFilter {
  readonly name?: string | undefined
  readonly isFailed: boolean
  readonly before?: string | undefined
  readonly limit: number
}

/** The newest first. */
export async function selectRuns(
  db: Queryable,
  { name, isFailed, before, limit }: RunFilter,
): Promise<JobRun[]> {
  const { rows } = await sql<JobRun>`
    select ${columns} from job_runs
    where ${name === undefined ? sql`true` : sql`name = ${name}`} and ${isFailed ? sql`error is not null` : sql`true`}
      and ${before === undefined ? sql`true` : sql`id < ${before}::bigint`}
    order by job_runs.id desc limit ${limit}`.execute(db)
  return rows
}
