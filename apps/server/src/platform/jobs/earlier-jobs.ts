import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { databaseNow } from '../db/database-time.ts'
import { channels } from '../db/locks-and-channels.ts'
import type { PeriodicTask } from './periodic-task.ts'

const BATCH = 500

/**
 * Moves the jobs of processes of the earlier version, which an upgrade leaves running beside this one, out of its queue: the schema
 * graphile_worker. A job that the earlier version has locked for two minutes belongs to a process that has died.
 */
export async function moveEarlierJobs(db: Queryable): Promise<void> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('graphile_worker._private_jobs') is not null as is_there`.execute(db)
  if (!rows[0]?.is_there) return
  await sql`
    with earlier as (
      delete from graphile_worker._private_jobs where id = any(array(
        select id from graphile_worker._private_jobs
        where locked_at is null or locked_at < ${databaseNow} - interval '2 minutes' limit ${BATCH} for update skip locked))
      returning task_id, payload, run_at, attempts, max_attempts, last_error, created_at
    ), moved as (
      insert into jobs (kind, payload, due_at, attempts, max_attempts, last_error, created_at)
      select tasks.identifier, payload::jsonb, run_at, least(attempts, max_attempts), max_attempts, last_error, earlier.created_at
      from earlier join graphile_worker._private_tasks as tasks on tasks.id = task_id
      returning id
    )
    select pg_notify(${channels.jobsAdded}, '') from moved limit 1`.execute(db)
}

export const moveEarlierJobsTask = (db: Queryable): PeriodicTask => ({
  name: 'move-earlier-jobs',
  pauseMs: 2000,
  run: () => moveEarlierJobs(db),
})
