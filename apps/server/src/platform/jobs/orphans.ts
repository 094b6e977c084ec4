import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { type Listener, listen } from '../db/listen.ts'
import { advisoryLocks } from '../db/locks-and-channels.ts'
import type { Log } from '../log.ts'

/**
 * Marks a runner as alive by a lock that PostgreSQL releases when the process dies. When the session is lost while the process lives, its
 * jobs may be started again elsewhere, which every job must tolerate.
 */
export const holdRunnerLock = (databaseUrl: string, runnerId: string, log: Log): Promise<Listener> =>
  listen(
    databaseUrl,
    `life-of-${runnerId}`,
    {
      onMessage: () => undefined,
      missed: () => undefined,
      connected: (session) =>
        session.query('select pg_advisory_lock($1, hashtext($2))', [advisoryLocks.jobRunner, runnerId]),
    },
    log,
  )

/** Whether any process of this database runs background work. */
export async function isAnyRunnerAlive(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ is_alive: boolean }>`
    select exists (
      select from pg_locks where locktype = 'advisory' and classid = ${advisoryLocks.jobRunner} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as is_alive`.execute(db)
  return rows[0]?.is_alive ?? false
}

/** Releases the jobs of a dead runner: graphile-worker releases them after four hours, when a mailed code would be useless. */
export async function freeOrphans(db: Queryable): Promise<void> {
  await sql`
    with runners as materialized (
      select distinct locked_by as id from graphile_worker._private_jobs where locked_by is not null
    ), dead as materialized (
      select id from runners where pg_try_advisory_xact_lock(${advisoryLocks.jobRunner}, hashtext(id))
    )
    select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0`.execute(db)
}
