import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import type { ChangeOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Attempt } from './payment.ts'
import { attempts, changedByCall, changeRow } from './tables.ts'

type StoredRow = RowKey & Readonly<Record<string, unknown>>

const inserted = attempts.recordSet([
  'accountId',
  'id',
  'paymentId',
  'provider',
  'method',
  'msisdn',
  'amount',
  'status',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
])

/** A new attempt, and the time of its look-up when its sender has recorded no outcome. */
export interface OpenedAttempt {
  readonly attempt: Attempt
  readonly nextCheckAt: Date
}

/** The columns of `openedRow`, as json_to_recordset reads them. */
export const openedDefinition = inserted.text.definition

export const openedRow = ({ attempt, nextCheckAt }: OpenedAttempt): object =>
  inserted.row({ ...attempt, nextCheckAt })

/** A statement that inserts the attempts of a relation. */
export const insertAttemptsFrom = (given: string): string => `
    insert into payment_attempts (${inserted.text.names}) select ${inserted.text.names} from ${given}`

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
      join (
        -- Two readers of one payment at the same moment request the same rows.
        select distinct account_id, payment_id
        from json_to_recordset(${JSON.stringify(rowKeys)}) as requested (account_id uuid, payment_id uuid)
      ) as row_keys using (account_id, payment_id)
      order by id desc`
    const rows = await runPrepared(db, 'find-attempts-of', find)
    // The payment's id may belong to another merchant than the caller.
    const found = Map.groupBy(rows, (row) => `${row.account_id} ${row.payment_id}`)
    return rowKeys.map((each) =>
      (found.get(`${each.account_id} ${each.payment_id}`) ?? []).map(attempts.read),
    )
  },
)

const changes = attempts.changes([
  ...changedByCall,
  'heldBecause',
  'authorizedAt',
  'nextAction',
  'moved',
  'lastReport',
  'updatedAt',
])

export type AttemptChange = Omit<ChangeOf<typeof changes>, 'updatedAt'>

/** One row of `changeDefinition`. A report about a booked charge is no change of the charge. */
export const attemptChangeRow = (attempt: Attempt, change: AttemptChange, at: Date): object => {
  const { lastReport, ...others } = change
  const isChanged = Object.keys(others).length > 0
  return changeRow(attempt, changes.row({ ...change, ...(isChanged && { updatedAt: at }) }))
}

/** A statement that updates the attempts of a relation. Their payments are locked. */
export const updateAttemptsFrom = (given: string): string => `
    update payment_attempts as kept set ${changes.assignments}, version = kept.version + 1
    from ${given} where kept.account_id = ${given}.account_id and kept.id = ${given}.id`
