import { sql } from 'kysely'
import { batched } from '../db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../db/database.ts'
import { databaseNow, databaseNowPlus } from '../db/database-time.ts'
import { channels } from '../db/locks-and-channels.ts'
import { takeDue } from './take-due.ts'

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
