import { sql } from 'kysely'
import { plusMs } from '../../../platform/clock.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'

/** An attempt may be counted before a concurrent one that has read its clock earlier. */
const SKEW_MS = 60_000

/** The waits after failures of one kind. */
export interface LockoutPolicy {
  /** The number of failures without a wait. The next one leads to a wait of a second, and each further one doubles the wait. */
  readonly freeFailures: number
  /** From this many failures on, the wait is `maxWaitMs`. */
  readonly lockedAt: number
  readonly maxWaitMs: number
  /** All failures are cleared when none was added for this long. */
  readonly resetAfterMs: number
}

export interface LockoutKey {
  readonly key: Buffer
  readonly policy: LockoutPolicy
}

/**
 * Counts an attempt as failed under each key before the password is checked, so that concurrent attempts are counted one by one.
 * @returns null when the attempt may continue; otherwise the time until which all attempts wait. A refused attempt is not counted, so it
 * does not prolong the wait.
 */
export async function claimAttempt(
  q: Queryable,
  lockouts: readonly LockoutKey[],
  now: Date,
): Promise<Date | null> {
  const keys = lockouts.map(({ key }) => key)
  const each = (name: keyof LockoutPolicy) => lockouts.map(({ policy }) => policy[name])
  const ms = sql`interval '1 millisecond'`
  const freeAfter = (failures: typeof ms) => sql`${now}::timestamptz + ${ms} * case
    when ${failures} <= given.free_failures then ${-SKEW_MS}
    when ${failures} >= given.locked_at then given.max_wait_ms
    else least(given.max_wait_ms, 1000 * 2 ^ (${failures} - given.free_failures - 1))
  end`
  // Rows are locked in the order of their keys, here and in releaseAttempt, so that no two callers wait for each other. Only the insert
  // sees a row that was inserted meanwhile, so it repeats the condition.
  const [claim] = await runPrepared(
    q,
    'claim-attempt',
    sql<{ claimed: Buffer[]; locked_until: Date | null }>`
    with given as (
      select * from unnest(${keys}::bytea[], ${each('freeFailures')}::int[], ${each('lockedAt')}::int[],
        ${each('maxWaitMs')}::int[], ${each('resetAfterMs')}::int[]) as t (key, free_failures, locked_at, max_wait_ms, reset_after_ms)
    ), known as materialized (
      select * from sign_in_failures where key = any(${keys}::bytea[]) order by key for update
    ), locked as (
      select locked_until from known where expires_at > ${now} and locked_until > ${now}
    ), claimed as (
      insert into sign_in_failures as kept (key, failures, locked_until, expires_at)
      select key, 1, ${freeAfter(sql`1`)}, ${now}::timestamptz + ${ms} * reset_after_ms
      from given where not exists (select from locked) order by key
      on conflict (key) do update
      set (failures, locked_until, expires_at) = (
        select count, ${freeAfter(sql`count`)}, excluded.expires_at
        from given, lateral (select case when kept.expires_at <= ${now} then 1 else kept.failures + 1 end as count) counted
        where given.key = excluded.key
      )
      where kept.expires_at <= ${now} or kept.locked_until <= ${now}
      returning key
    )
    select array(select key from claimed) as claimed, (select max(locked_until) from locked) as locked_until`,
  )
  if (!claim || claim.claimed.length === keys.length) return null
  await releaseAttempt(q, { cleared: [], released: claim.claimed }, now)
  return claim.locked_until ?? now
}

/** Clears all failures under some keys and this attempt alone under others: it succeeded, or the password was not checked. */
export async function releaseAttempt(
  q: Queryable,
  { cleared, released }: { cleared: readonly Buffer[]; released: readonly Buffer[] },
  now: Date,
): Promise<void> {
  await runPrepared(
    q,
    'release-attempt',
    sql`
    with known as materialized (
      select key from sign_in_failures where key = any(${[...cleared, ...released]}::bytea[]) order by key for update
    ), cleared as (
      delete from sign_in_failures where key in (select key from known) and key = any(${cleared}::bytea[])
    )
    update sign_in_failures set failures = failures - 1, locked_until = ${plusMs(now, -SKEW_MS)}
    where key in (select key from known) and key = any(${released}::bytea[]) and failures > 0`,
  )
}

export async function clearFailures(q: Queryable, key: Buffer): Promise<void> {
  await q.deleteFrom('sign_in_failures').where('key', '=', key).execute()
}

export async function deleteExpiredFailures(q: Queryable, now: Date): Promise<void> {
  await sql`
    delete from sign_in_failures where key in (
      select key from sign_in_failures where expires_at <= ${now} limit 10000 for update skip locked
    )`.execute(q)
}
