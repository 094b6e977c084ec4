import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { batched } from '../../../platform/db/batched.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import { alignRows, type RowKey } from '../../../platform/db/row-key.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { AttemptStatus } from '../machine.ts'
import type { Attempt } from '../payment.ts'
import { changedColumns, type ProviderCallChange } from '../provider-calls/store-provider-calls.ts'
import { attempts } from '../tables.ts'

type StoredRow = RowKey & Readonly<Record<string, unknown>>

export const insertAttempt = (tx: Tx, attempt: Attempt, nextCheckAt: Date): Promise<void> =>
  insertMany(tx, { attempt, nextCheckAt })

const inserted = attempts.recordSet([
  'accountId',
  'id',
  'paymentId',
  'provider',
  'method',
  'msisdn',
  'amount',
  'status',
  'createdAt',
  'updatedAt',
])

const insertMany = batched<Tx, { attempt: Attempt; nextCheckAt: Date }, void>(async (tx, given) => {
  const rows = given.map(({ attempt, nextCheckAt }) => ({
    ...inserted.row(attempt),
    next_check_at: nextCheckAt,
  }))
  const insert = sql`
    insert into payment_attempts (${inserted.names}, next_check_at) select ${inserted.names}, next_check_at
    from json_to_recordset(${JSON.stringify(rows)}) as given (${inserted.definition}, next_check_at timestamptz)`
  await runPrepared(tx, 'insert-attempts', insert)
  return given.map(() => undefined)
})

export const findAttempt = (db: Queryable, accountId: AccountId, id: AttemptId): Promise<Attempt | null> =>
  findMany(db, { account_id: uuidOf(accountId), id: uuidOf(id) })

const findMany = batched<Queryable, RowKey, Attempt | null>(async (db, rowKeys) => {
  const find = sql<StoredRow>`
      select ${attempts.selectList} from payment_attempts
      join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid) using (account_id, id)`
  const rows = await runPrepared(db, 'find-attempts', find)
  return alignRows(rowKeys, rows).map((row) => (row ? attempts.read(row) : null))
})

/** The attempts of a payment, the latest first. */
export const attemptsOf = (
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<readonly Attempt[]> =>
  attemptsOfMany(db, { account_id: uuidOf(accountId), payment_id: uuidOf(paymentId) })

const attemptsOfMany = batched<Queryable, { account_id: string; payment_id: string }, readonly Attempt[]>(
  async (db, rowKeys) => {
    const find = sql<StoredRow & { payment_id: string }>`
      select ${attempts.selectList} from payment_attempts
      join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, payment_id uuid)
        using (account_id, payment_id)
      order by id desc`
    const rows = await runPrepared(db, 'find-attempts-of', find)
    // The payment's id may belong to another merchant than the caller.
    const found = Map.groupBy(rows, (row) => `${row.account_id} ${row.payment_id}`)
    return rowKeys.map((each) =>
      (found.get(`${each.account_id} ${each.payment_id}`) ?? []).map(attempts.read),
    )
  },
)

export type AttemptChange = ProviderCallChange<AttemptStatus> & { readonly heldBecause?: string }

export const updateAttempt = (tx: Tx, attempt: Attempt, change: AttemptChange, at: Date): Promise<void> =>
  updateMany(tx, {
    account_id: uuidOf(attempt.accountId),
    id: uuidOf(attempt.id),
    change: {
      ...changedColumns(change, at),
      ...(change.heldBecause !== undefined && { held_because: change.heldBecause }),
    },
  })

const types: Readonly<Record<string, string>> = {
  status: 'text',
  failure_reason: 'text',
  held_because: 'text',
  provider_status: 'text',
  provider_reference: 'text',
  provider_state: 'jsonb',
  not_found_checks: 'int',
  outcome_failures: 'int',
  next_check_at: 'timestamptz',
  watch_until: 'timestamptz',
  next_watch_at: 'timestamptz',
  updated_at: 'timestamptz',
}

// Only the named columns change.
const changes = Object.entries(types).map(
  ([name, type]) =>
    `${name} = case when change ? '${name}' then (change->>'${name}')::${type} else kept.${name} end`,
)

const updateMany = batched<Tx, { account_id: string; id: string; change: object }, void>(async (tx, rows) => {
  const update = sql`
      update payment_attempts as kept set ${sql.raw(changes.join(', '))}
      from json_to_recordset(${JSON.stringify(rows)}) as given (account_id uuid, id uuid, change jsonb)
      where kept.account_id = given.account_id and kept.id = given.id`
  await runPrepared(tx, 'update-attempts', update)
  return rows.map(() => undefined)
})
