import { sql } from 'kysely'
import { batched } from '../db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../db/database.ts'
import { databaseNow, databaseNowPlus } from '../db/database-time.ts'
import { channels } from '../db/locks-and-channels.ts'
import { takeDue } from './take-due.ts'

/** The lease of a job, which its process renews: the jobs of a process that has died are taken over after this time. */
export const LEASE_MS = 15_000

export interface TakenJob {
  readonly id: bigint
  readonly kind: string
  readonly payload: unknown
  /** With the present one. */
  readonly attempts: number
}

/** Adds a job and notifies the runners of its node at the commit. */
export async function insertJob(tx: Tx, kind: string, payload: object, maxAttempts: number): Promise<void> {
  const insert = sql`
    with added as (insert into jobs (kind, payload, max_attempts) values (${kind}, ${JSON.stringify(payload)}::jsonb, ${maxAttempts}))
    select pg_notify(${channels.jobsAdded}, '')`
  await runPrepared(tx, 'enqueue', insert)
}

/** @param kinds that the process has handlers of: during an upgrade another version may have added others */
export const takeJobs = (
  db: Queryable,
  kinds: readonly string[],
  leaseMs: number,
  limit: number,
): Promise<TakenJob[]> =>
  takeDue<TakenJob>(
    db,
    {
      table: 'jobs',
      key: ['id'],
      isDue: sql`attempts < max_attempts and due_at <= ${databaseNow} and kind = any(${kinds}::text[])`,
      dueAt: sql`due_at`,
      lease: (ms) => sql`due_at = ${databaseNowPlus(ms)}, attempts = attempts + 1`,
      returning: ['id', 'kind', 'payload', 'attempts'],
    },
    leaseMs,
    limit,
  )

export async function renewLeases(db: Queryable, ids: readonly bigint[], leaseMs: number): Promise<void> {
  if (ids.length === 0) return
  await sql`update jobs set due_at = ${databaseNowPlus(leaseMs)} where id = any(${ids}::bigint[])`.execute(db)
}

/** Jobs that end at the same moment share a commit. */
export const deleteJob = batched(async (db: Queryable, ids: readonly bigint[]) => {
  await sql`delete from jobs where id = any(${ids}::bigint[])`.execute(db)
  return ids.map(() => undefined)
})

const MOST_ERROR_CHARACTERS = 1000

/** Postpones a failed job, unless another process has taken it over. The pauses grow from 3 s to 6 h. */
export async function postponeJob(db: Queryable, { id, attempts }: TakenJob, error: unknown): Promise<void> {
  const reason = String(error).slice(0, MOST_ERROR_CHARACTERS)
  await sql`
    update jobs set due_at = ${databaseNow} + interval '1 second' * exp(least(attempts, 10)), last_error = ${reason}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

export interface JobsOfKind {
  readonly kind: string
  readonly due: number
  readonly later: number
  /** Their attempts are used up. */
  readonly givenUp: number
  readonly oldestDueAt: Date | null
}

/** The queue of this node by kind. */
export async function jobsByKind(db: Queryable): Promise<JobsOfKind[]> {
  const { rows } = await sql<JobsOfKind>`
    select kind, (count(*) filter (where is_open and due_at <= ${databaseNow}))::int as due,
      (count(*) filter (where is_open and due_at > ${databaseNow}))::int as later,
      (count(*) filter (where not is_open))::int as "givenUp",
      min(due_at) filter (where is_open and due_at <= ${databaseNow}) as "oldestDueAt"
    from (select kind, due_at, attempts < max_attempts as is_open from jobs) as each group by kind order by kind`.execute(
    db,
  )
  return rows
}

export interface FailedJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly error: string
  readonly createdAt: Date
  /** The next attempt; null for a job that is given up. */
  readonly dueAt: Date | null
}

/** The jobs whose last attempt failed, the oldest first. */
export async function failedJobs(db: Queryable, limit: number): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id::text, kind, attempts, max_attempts as "maxAttempts", last_error as error, created_at as "createdAt",
      case when attempts < max_attempts then due_at end as "dueAt"
    from jobs where last_error is not null order by created_at, id limit ${limit}`.execute(db)
  return rows
}

/**
 * Makes the failed jobs of a kind due with all their attempts, and notifies the runners. A job that is due within the time of a lease may be
 * running: a second process must not take it. Returns their number.
 */
export async function retryFailed(tx: Tx, kind: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs set due_at = ${databaseNow}, attempts = 0, last_error = null
    where kind = ${kind} and last_error is not null and (due_at <= ${databaseNow} or due_at > ${databaseNowPlus(LEASE_MS)})`.execute(
    tx,
  )
  await sql`select pg_notify(${channels.jobsAdded}, '')`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
