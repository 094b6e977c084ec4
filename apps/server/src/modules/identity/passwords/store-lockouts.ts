import { sql } from 'kysely'
import { plusMs } from '../../../platform/clock.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'

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

export interface Counted {
  readonly key: Buffer
  readonly patience: Patience
}

/**
 * Counts a try as failed under each key before it is looked at, so that tries that come together are counted one by one. Null when it
 * may be looked at; else the time until which none is, and nothing was counted: who only knocks does not keep the door shut.
 */
export async function claimTry(q: Queryable, counted: readonly Counted[], now: Date): Promise<Date | null> {
  const keys = counted.map(({ key }) => key)
  const each = (name: keyof Patience) => counted.map(({ patience }) => patience[name])
  const ms = sql`interval '1 millisecond'`
  const freeAfter = (failures: typeof ms) => sql`${now}::timestamptz + ${ms} * case
    when ${failures} <= asked.free_failures then ${-SKEW_MS}
    when ${failures} >= asked.locked_at then asked.longest_ms
    else least(asked.longest_ms, 1000 * 2 ^ (${failures} - asked.free_failures - 1))
  end`
  // Rows are locked in the order of their keys, here and where tries are settled, so that no two callers wait for each other. A row that
  // comes into being meanwhile is seen by the insert alone, which therefore asks once more.
  const [claim] = await runPrepared(
    q,
    'claim-try',
    sql<{ claimed: Buffer[]; free_at: Date | null }>`
    with asked as (
      select * from unnest(${keys}::bytea[], ${each('freeFailures')}::int[], ${each('lockedAt')}::int[],
        ${each('longestMs')}::int[], ${each('memoryMs')}::int[]) as t (key, free_failures, locked_at, longest_ms, memory_ms)
    ), known as materialized (
      select * from sign_in_failures where key = any(${keys}::bytea[]) order by key for update
    ), shut as (
      select free_at from known where forgotten_at > ${now} and free_at > ${now}
    ), claimed as (
      insert into sign_in_failures as kept (key, failures, free_at, forgotten_at)
      select key, 1, ${freeAfter(sql`1`)}, ${now}::timestamptz + ${ms} * memory_ms
      from asked where not exists (select from shut) order by key
      on conflict (key) do update
      set (failures, free_at, forgotten_at) = (
        select count, ${freeAfter(sql`count`)}, excluded.forgotten_at
        from asked, lateral (select case when kept.forgotten_at <= ${now} then 1 else kept.failures + 1 end as count) tries
        where asked.key = excluded.key
      )
      where kept.forgotten_at <= ${now} or kept.free_at <= ${now}
      returning key
    )
    select array(select key from claimed) as claimed, (select max(free_at) from shut) as free_at`,
  )
  if (!claim || claim.claimed.length === keys.length) return null
  await settleTry(q, { forgotten: [], takenBack: claim.claimed }, now)
  return claim.free_at ?? now
}

/** Forgets all failures under some keys; under others, this try alone: it was no failure, or was not looked at after all. */
export async function settleTry(
  q: Queryable,
  { forgotten, takenBack }: { forgotten: readonly Buffer[]; takenBack: readonly Buffer[] },
  now: Date,
): Promise<void> {
  await runPrepared(
    q,
    'settle-try',
    sql`
    with known as materialized (
      select key from sign_in_failures where key = any(${[...forgotten, ...takenBack]}::bytea[]) order by key for update
    ), forgotten as (
      delete from sign_in_failures where key in (select key from known) and key = any(${forgotten}::bytea[])
    )
    update sign_in_failures set failures = failures - 1, free_at = ${plusMs(now, -SKEW_MS)}
    where key in (select key from known) and key = any(${takenBack}::bytea[]) and failures > 0`,
  )
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
