import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Attempt } from './payment.ts'
import { attempts } from './tables.ts'

type StoredRow = RowKey & Readonly<Record<string, unknown>>

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
