import { AccountId, AttemptId, type Id, RefundId } from '@muripo/contract/ids'
import type { StatusReason } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { ProviderState } from '../../providers/index.ts'
import { GIVE_UP_AFTER_MS, JITTER, schedule } from './schedule.ts'

/** The columns of an attempt or a refund that a call to a provider changes. */
export interface ProviderCallChange<Status> {
  readonly status?: Status
  readonly failureReason?: StatusReason | null
  readonly providerStatus?: string
  readonly providerReference?: string | null
  readonly providerState?: ProviderState
  readonly notFoundChecks?: number
  readonly outcomeFailures?: number
  readonly nextCheckAt?: Date | null
  /** For a failed call: the end of its watch, and the next look-up. */
  readonly watchUntil?: Date
  readonly nextWatchAt?: Date | null
}

export const changedColumns = <Status>(change: ProviderCallChange<Status>, at: Date) => ({
  updated_at: at,
  ...(change.status !== undefined && { status: change.status }),
  ...(change.failureReason !== undefined && { failure_reason: change.failureReason }),
  ...(change.providerStatus !== undefined && { provider_status: change.providerStatus }),
  ...(change.providerReference !== undefined && { provider_reference: change.providerReference }),
  ...(change.providerState !== undefined && { provider_state: change.providerState }),
  ...(change.notFoundChecks !== undefined && { not_found_checks: change.notFoundChecks }),
  ...(change.outcomeFailures !== undefined && { outcome_failures: change.outcomeFailures }),
  ...(change.nextCheckAt !== undefined && { next_check_at: change.nextCheckAt }),
  ...(change.watchUntil !== undefined && { watch_until: change.watchUntil }),
  ...(change.nextWatchAt !== undefined && { next_watch_at: change.nextWatchAt }),
})

/** The types of the columns of `changedColumns`. */
export const columnTypes = {
  status: 'text',
  failure_reason: 'text',
  provider_status: 'text',
  provider_reference: 'text',
  provider_state: 'jsonb',
  not_found_checks: 'int',
  outcome_failures: 'int',
  next_check_at: 'timestamptz',
  watch_until: 'timestamptz',
  next_watch_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

/** A changed row, and the columns that change, as json_to_recordset reads them. */
export const changeDefinition = 'account_id uuid, id uuid, change jsonb'

export const changeRow = (
  { accountId, id }: { readonly accountId: AccountId; readonly id: Id<string> },
  change: object,
): object => ({ account_id: uuidOf(accountId), id: uuidOf(id), change })

/** The assignments of an update of the table `kept` from such rows: only the columns that a row names change. */
export const assignmentsOf = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(
      ([name, type]) =>
        `${name} = case when change ? '${name}' then (change->>'${name}')::${type} else kept.${name} end`,
    )
    .join(', ')

/** Leases refunds that are due for a look-up, each to one process. After `leaseMs` a row is due again: its process has died or failed. */
export async function takeDueRefunds(db: Queryable, leaseMs: number, limit: number) {
  const { rows } = await sql<{ account_id: string; id: string }>`
    update refunds set next_check_at = ${databaseNowPlus(leaseMs)}, checks = checks + 1
    where (account_id, id) in (
      select account_id, id from refunds where next_check_at <= ${databaseNow}
      order by next_check_at limit ${limit} for update skip locked)
    returning account_id, id`.execute(db)
  return rows.map((row) => ({ accountId: idFrom(AccountId, row.account_id), id: idFrom(RefundId, row.id) }))
}

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
 */
export async function takeDueAttempts(db: Queryable, { minPollMs, jitter, leaseMs }: Pauses, limit: number) {
  const { rows } = await sql<{ account_id: string; id: string }>`
    with due as (
      select account_id, id, provider, extract(epoch from ${databaseNow} - created_at) * 1000 as age
      from payment_attempts where next_check_at <= ${databaseNow}
      order by next_check_at limit ${limit} for update skip locked
    )
    update payment_attempts set checks = checks + 1, updated_at = ${databaseNow}, next_check_at = ${databaseNow} + interval '1 millisecond' * (
      case when due.age >= ${GIVE_UP_AFTER_MS}::float8 then ${leaseMs}::float8
      else greatest((${JSON.stringify(minPollMs)}::jsonb->>due.provider)::float8, -due.age + least(${GIVE_UP_AFTER_MS}::float8, (
        select min(scheduled.age + scheduled.gap * (${jitter}::float8 - 1))
        from unnest(${schedule.map(({ age }) => age)}::float8[], ${schedule.map(({ gap }) => gap)}::float8[]) as scheduled (age, gap)
        where scheduled.age - scheduled.gap * ${JITTER}::float8 > due.age))) end)
    from due where payment_attempts.account_id = due.account_id and payment_attempts.id = due.id
    returning payment_attempts.account_id, payment_attempts.id`.execute(db)
  return rows.map((row) => ({ accountId: idFrom(AccountId, row.account_id), id: idFrom(AttemptId, row.id) }))
}
