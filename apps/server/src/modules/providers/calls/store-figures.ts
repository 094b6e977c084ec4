import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { retentionMs } from '../../../platform/jobs/retention.ts'
import { type CallFigures, noFigures, sumOf } from './figures.ts'

/** Adds the calls of a process to the present minute. */
export async function addFigures(
  db: Database,
  provider: string,
  { calls, completed, declined, failed, busy, blocked, latency }: CallFigures,
): Promise<void> {
  await sql`
    insert into provider_call_counts as kept (provider, minute, calls, completed, declined, failed, busy, blocked, latency)
    values (${provider}, date_trunc('minute', ${databaseNow}), ${calls}, ${completed}, ${declined}, ${failed}, ${busy}, ${blocked}, ${latency})
    on conflict (provider, minute) do update set
      calls = kept.calls + excluded.calls, completed = kept.completed + excluded.completed,
      declined = kept.declined + excluded.declined, failed = kept.failed + excluded.failed,
      busy = kept.busy + excluded.busy, blocked = kept.blocked + excluded.blocked,
      latency = array(select a + b from unnest(kept.latency, excluded.latency) with ordinality as each (a, b, nth) order by nth)`.execute(
    db.kysely,
  )
}

/** The calls of all processes in the last minutes, by provider. */
export async function recentFigures(db: Database, minutes: number): Promise<Map<string, CallFigures>> {
  const { rows } = await sql<CallFigures & { provider: string }>`
    select provider, calls, completed, declined, failed, busy, blocked, latency from provider_call_counts
    where minute > ${databaseNowPlus(-minutes * 60_000)}`.execute(db.kysely)
  const sums = new Map<string, CallFigures>()
  for (const { provider, ...figures } of rows)
    sums.set(provider, sumOf(sums.get(provider) ?? noFigures, figures))
  return sums
}

export async function deleteOldFigures(db: Database): Promise<void> {
  await sql`delete from provider_call_counts where minute < ${databaseNowPlus(-retentionMs('callFigures'))}`.execute(
    db.kysely,
  )
}
