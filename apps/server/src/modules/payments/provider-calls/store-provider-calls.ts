import { AccountId, AttemptId, type Id, RefundId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type DueRows, inTurns, takeDue } from '../../../platform/jobs/take-due.ts'
import { GIVE_UP_AFTER_MS, JITTER, schedule } from '../payment/schedule.ts'

/** The calls of one table take turns by their accounts. */
const calls = { key: ['account_id', 'id'], turnsOf: 'account_id' }

/** Takes due calls, each for one process. */
const take =
  <Prefix extends string>(
    kind: { readonly prefix: Prefix },
    due: Pick<DueRows, 'table' | 'isDue' | 'dueAt'> & { readonly again: DueRows['lease'] },
  ) =>
  async (db: Queryable, leaseMs: number, limit: number) => {
    const lease = (ms: number) => sql`${due.again(ms)}, checks = checks + 1`
    const rows = { ...calls, ...due, lease, returning: [...calls.key, 'is_deferred'] }
    return (await takeDue<DueRow>(db, rows, leaseMs, limit)).map((row) => dueCall(kind, row))
  }

interface DueRow {
  readonly account_id: string
  readonly id: string
  readonly is_deferred: boolean
}

/** A due call. isDeferred: it is made again, and not looked up. */
const dueCall = <Prefix extends string>(kind: { readonly prefix: Prefix }, row: DueRow) => ({
  accountId: idFrom(AccountId, row.account_id),
  id: idFrom(kind, row.id),
  isDeferred: row.is_deferred,
})

/** Refunds that are due for a look-up, or for their call. */
export const takeDueRefunds = take(RefundId, {
  table: 'refunds',
  isDue: sql`next_check_at <= ${databaseNow}`,
  dueAt: sql`next_check_at`,
  again: (ms) => sql`next_check_at = ${databaseNowPlus(ms)}`,
})

/** Deferred charges that are due for their call. A charge that no process has claimed is due again after its lease. */
export const takeDeferredAttempts = take(AttemptId, {
  table: 'payment_attempts',
  isDue: sql`is_deferred and index_due_at <= ${databaseNow} and next_check_at <= ${databaseNow}`,
  dueAt: sql`index_due_at`,
  again: (ms) => sql`next_check_at = ${databaseNowPlus(ms)}, updated_at = ${databaseNow}`,
})

/**
 * Failed calls whose next look-up is due. The lease grows with the age of the call: a look-up that never finishes is repeated less and less
 * often.
 */
const watched = {
  isDue: sql`next_watch_at <= ${databaseNow}`,
  dueAt: sql`next_watch_at`,
  again: (ms: number) => sql`next_watch_at = greatest(${databaseNowPlus(ms)},
    ${databaseNow} + (${databaseNow} - watch_until + interval '72 hours') / 10)`,
}
export const takeWatchedAttempts = take(AttemptId, { table: 'payment_attempts', ...watched })
export const takeWatchedRefunds = take(RefundId, { table: 'refunds', ...watched })

/** The pauses between two look-ups of a charge. */
export interface Pauses {
  /** The minimum interval of each provider, by its id. */
  readonly minPollMs: Readonly<Record<string, number>>
  /** The factor of the next intervals. */
  readonly jitter: number
  /** For a charge whose schedule has ended: an operator gets it after the look-up. */
  readonly leaseMs: number
}

/**
 * Takes charges that are due for a look-up, each for one process, and writes the time of the next look-up as `nextCheckAt` has it. So a
 * look-up that changes nothing writes nothing, and a process that dies delays no other.
 * @param roomOf the number of look-ups that the budgets of providers allow now, which the merchants take in turn; a provider without a budget is
 * not named
 */
export async function takeDueAttempts(
  db: Queryable,
  { minPollMs, jitter, leaseMs }: Pauses,
  limit: number,
  roomOf: Readonly<Record<string, number>> = {},
) {
  const columns = sql`account_id, id, provider, extract(epoch from ${databaseNow} - created_at) * 1000 as age`
  const isDue = sql`index_due_at <= ${databaseNow} and next_check_at <= ${databaseNow} and not is_deferred`
  const ofBudget = {
    ...calls,
    table: 'payment_attempts',
    isDue: sql`${isDue} and provider = budgets.name`,
    dueAt: sql`index_due_at`,
  }
  const { rows } = await sql<DueRow>`
    with unlimited as materialized (
      select ${columns} from payment_attempts where ${isDue} and provider <> all(${Object.keys(roomOf)}::text[])
      order by index_due_at limit ${limit} for update skip locked
    ), limited as materialized (
      select taken.* from unnest(${Object.keys(roomOf)}::text[], ${Object.values(roomOf)}::int[]) as budgets (name, room)
      cross join lateral (
        select ${columns} from payment_attempts
        where ${isDue} and (account_id, id) in (${inTurns(ofBudget, sql`budgets.room`)})
        for update skip locked) as taken
    ), due as (
      select * from unlimited union all select * from limited limit ${limit}
    )
    update payment_attempts set checks = checks + 1, updated_at = ${databaseNow}, next_check_at = ${databaseNow} + interval '1 millisecond' * (
      case when due.age >= ${GIVE_UP_AFTER_MS}::float8 then ${leaseMs}::float8
      else greatest((${JSON.stringify(minPollMs)}::jsonb->>due.provider)::float8, -due.age + least(${GIVE_UP_AFTER_MS}::float8, (
        select min(scheduled.age + scheduled.gap * (${jitter}::float8 - 1))
        from unnest(${schedule.map(({ age }) => age)}::float8[], ${schedule.map(({ gap }) => gap)}::float8[]) as scheduled (age, gap)
        where scheduled.age - scheduled.gap * ${JITTER}::float8 > due.age))) end)
    from due where payment_attempts.account_id = due.account_id and payment_attempts.id = due.id
    returning payment_attempts.account_id, payment_attempts.id, payment_attempts.is_deferred`.execute(db)
  return rows.map((row) => dueCall(AttemptId, row))
}

/**
 * Postpones the look-up of a call that its provider did not process.
 * @returns false when the call is no longer looked up, or the time for its look-ups is over
 */
export async function postponeLookup(
  db: Queryable,
  table: 'payment_attempts' | 'refunds',
  { accountId, id }: { readonly accountId: AccountId; readonly id: Id<string> },
  afterMs: number,
): Promise<boolean> {
  const at = databaseNowPlus(afterMs)
  const { rows } = await sql`
    update ${sql.table(table)} set
      next_check_at = case when next_check_at is not null then ${at} end,
      next_watch_at = case when next_watch_at is not null then ${at} end
    where account_id = ${uuidOf(accountId)} and id = ${uuidOf(id)}
      and (next_check_at is not null and created_at > ${databaseNowPlus(-GIVE_UP_AFTER_MS)}
        or next_watch_at is not null and watch_until > ${databaseNow})
    returning 1`.execute(db)
  return rows.length > 0
}

/** The time in milliseconds by which the oldest look-up of a failed call is overdue: zero when none is. */
export async function watchLagMs(db: Queryable): Promise<number> {
  const { rows } = await sql<{ lag_ms: number }>`
    select greatest(0, extract(epoch from ${databaseNow} - least(
      (select min(next_watch_at) from payment_attempts where next_watch_at is not null),
      (select min(next_watch_at) from refunds where next_watch_at is not null))) * 1000)::float8 as lag_ms`.execute(
    db,
  )
  return rows[0]?.lag_ms ?? 0
}
