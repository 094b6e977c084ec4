import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Payment } from './payment.ts'
import { payments } from './tables.ts'

type StoredRow = RowKey & Readonly<Record<string, unknown>>

export const findPayment = (db: Queryable, accountId: AccountId, id: PaymentId): Promise<Payment | null> =>
  findMany(db, { account_id: uuidOf(accountId), id: uuidOf(id) })

const findMany = batched<Queryable, RowKey, Payment | null>(async (db, rowKeys) => {
  const find = sql<StoredRow>`
    select ${payments.selectList} from payments
    join json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid) using (account_id, id)`
  const rows = await runPrepared(db, 'find-payments', find)
  return alignRows(rowKeys, rows).map((row) => (row ? payments.read(row) : null))
})

/** The methods that could take the payment when it was created. */
export const findPayableMethods = async (
  db: Queryable,
  accountId: AccountId,
  id: PaymentId,
): Promise<Payment['payableMethods']> => (await findPayment(db, accountId, id))?.payableMethods ?? []

/** Returns when no other session is changing the payment. */
export async function waitForChanges(db: Queryable, accountId: AccountId, id: PaymentId): Promise<void> {
  const wait = sql`
    select from payments where account_id = ${uuidOf(accountId)} and id = ${uuidOf(id)} for no key update`
  await runPrepared(db, 'wait-for-changes', wait)
}
