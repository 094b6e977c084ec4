import { sql } from 'kysely'
import { plusMs } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db/database.ts'

/** Of two tries that come together, the one that is counted first may have looked at its clock last. */
const SKEW_MS = 60_000

/** How failures of one kind are put up with. */
export interface Patience {
  /** After so many, nobody waits yet. Each one more doubles the wait, which begins at a second. */
  readonly freeFailures: number
  /** From this many on the wait is the longest. */
  readonly lockedAt: number
  readonly longestMs: number
  /** When none was added for so long, all are forgotten. */
  readonly memoryMs: number
}

/**
 * Counts a try as failed before it is looked at, so that tries that come together are counted one by one. Null when it may be looked
 * at; else the time until which none is, and nothing was counted: who only knocks does not keep the door shut.
 */
export async function claimTry(
  q: Queryable,
  key: Buffer,
  patience: Patience,
  now: Date,
): Promise<Date | null> {
  const failures = sql`case when kept.forgotten_at <= ${now} then 1 else kept.failures + 1 end`
  const { freeFailures, lockedAt, longestMs, memoryMs } = patience
  const freeAfter = (count: typeof failures) => sql`${now}::timestamptz + case
    when ${count} <= ${freeFailures} then ${-SKEW_MS} * interval '1 millisecond'
    when ${count} >= ${lockedAt} then ${longestMs} * interval '1 millisecond'
    else least(${longestMs}, 1000 * 2 ^ (${count} - ${freeFailures} - 1)) * interval '1 millisecond'
  end`
  const claimed = await sql`
    insert into sign_in_failures as kept (key, failures, free_at, forgotten_at)
    values (${key}, 1, ${freeAfter(sql`1`)}, ${now}::timestamptz + ${memoryMs} * interval '1 millisecond')
    on conflict (key) do update
    set failures = ${failures}, free_at = ${freeAfter(failures)}, forgotten_at = excluded.forgotten_at
    where kept.forgotten_at <= ${now} or kept.free_at <= ${now}
    returning true`.execute(q)
  if (claimed.rows.length > 0) return null
  const row = await q
    .selectFrom('sign_in_failures')
    .where('key', '=', key)
    .select('free_at')
    .executeTakeFirst()
  return row?.free_at ?? now
}

/** The try was no failure, or was not looked at after all. */
export async function takeTryBack(q: Queryable, key: Buffer, now: Date): Promise<void> {
  await q
    .updateTable('sign_in_failures')
    .set((eb) => ({ failures: eb('failures', '-', 1), free_at: plusMs(now, -SKEW_MS) }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute()
}

export async function forgetFailures(q: Queryable, key: Buffer): Promise<void> {
  await q.deleteFrom('sign_in_failures').where('key', '=', key).execute()
}

export async function forgetOldFailures(q: Queryable, now: Date): Promise<void> {
  await sql`
    delete from sign_in_failures where key in (
      select key from sign_in_failures where forgotten_at <= ${now} limit 10000 for update skip locked
    )`.execute(q)
}
