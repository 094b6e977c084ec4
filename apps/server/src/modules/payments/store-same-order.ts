import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { batched, type RowKey } from '../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { oneNow } from '../../platform/db/database-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import { underwaySql } from './payment/moves.ts'

/** A payment with the reference of another one, of the same payer as far as known. */
export interface SameOrder {
  readonly reference: string
  /** Whether it was paid a few minutes ago; otherwise it is authorised, or its attempt is in progress. */
  readonly isPaid: boolean
}

/** A shop that uses one reference for all its payers has any number of payments with it. */
const NEWEST_COMPARED = 20

interface Requested extends RowKey {
  readonly phone: string | null
}

interface Row {
  readonly place: number
  readonly reference: string
  readonly paid: boolean
}

/**
 * Another payment of a shop with this payment's own reference that was paid in the last ten minutes, is authorised or has an open attempt.
 * Shops may use one reference for many payers, so that payments of different phones do not count, and only the newest payments are compared.
 * @param phone E.164; null when the payer enters none
 */
export const findSameOrder = async (
  db: Queryable,
  accountId: AccountId,
  id: PaymentId,
  phone: string | null,
): Promise<SameOrder | null> => {
  const row = await findMany(db, { account_id: uuidOf(accountId), id: uuidOf(id), phone })
  return row ? { reference: row.reference, isPaid: row.paid } : null
}

const findMany = batched<Queryable, Requested, Row | undefined>(async (db, requested) => {
  const rows = await runPrepared(
    db,
    'find-same-orders',
    sql<Row>`
    select requested.place, own.reference, other.paid
    from json_to_recordset(${JSON.stringify(requested.map((each, place) => ({ ...each, place })))}) as requested
      (account_id uuid, id uuid, phone text, place int)
    join payments own using (account_id, id)
    cross join lateral (
      select p.completed_at is not null as paid
      from (
        select * from payments
        where payments.account_id = own.account_id and payments.application_id = own.application_id
          and payments.reference = own.reference
        order by payments.id desc
        limit ${sql.raw(String(NEWEST_COMPARED))}) p
      where p.id <> own.id
        and (requested.phone is null or p.customer_phone is null or p.customer_phone = requested.phone)
        and (p.completed_at > ${sql.raw(oneNow)} - interval '10 minutes'
          or p.status = 'authorized'
          or p.status = 'pending' and exists (
            select from payment_attempts t
            where t.account_id = p.account_id and t.payment_id = p.id and t.status in ${sql.raw(underwaySql)}))
      order by paid desc
      limit 1) as other
    where own.reference is not null`,
  )
  const found = new Map(rows.map((row) => [row.place, row]))
  return requested.map((_, place) => found.get(place))
})
