import { type AccountId, type CustomerId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Keys } from '../../../platform/crypto/keys.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { findNumberedCharges, retainNumbers } from './retained-numbers.ts'

/** A payment of a customer, with its personal fields. */
export interface CustomerPayment {
  readonly id: PaymentId
  readonly createdAt: Date
  readonly status: string
  readonly amountMinor: string
  readonly refundedMinor: string
  readonly currency: string
  readonly description: string
  readonly metadata: unknown
  readonly customer: {
    readonly email: string | null
    readonly name: string | null
    readonly phone: string | null
  }
  readonly paidFrom: readonly string[]
}

export async function paymentsOfCustomer(
  q: Queryable,
  accountId: AccountId,
  id: CustomerId,
): Promise<CustomerPayment[]> {
  const { rows } = await sql<{
    id: string
    created_at: Date
    status: string
    amount_minor: string
    refunded_minor: string
    currency: string
    description: string
    metadata: unknown
    customer: CustomerPayment['customer']
    paid_from: string[]
  }>`
    select id, created_at, status, amount_minor::text, refunded_minor::text, currency, description, metadata,
      jsonb_build_object('email', customer_email, 'name', customer_name, 'phone', customer_phone) as customer,
      array(select distinct a.msisdn from payment_attempts a
        where a.account_id = p.account_id and a.payment_id = p.id and a.msisdn is not null) as paid_from
    from payments p where account_id = ${uuidOf(accountId)} and customer_id = ${uuidOf(id)} order by id`.execute(
    q,
  )
  return rows.map((row) => ({
    id: idFrom(PaymentId, row.id),
    createdAt: row.created_at,
    status: row.status,
    amountMinor: row.amount_minor,
    refundedMinor: row.refunded_minor,
    currency: row.currency,
    description: row.description,
    metadata: row.metadata,
    customer: row.customer,
    paidFrom: row.paid_from,
  }))
}

/** The payments of a customer that still need the number or the email: open ones, and those whose calls are looked up. */
export async function openPaymentsOfCustomer(tx: Tx, accountId: AccountId, id: CustomerId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with mine as (
      select id, status, refund_pending_minor from payments
      where account_id = ${uuidOf(accountId)} and customer_id = ${uuidOf(id)} for update
    )
    select count(*)::int as count from mine
    where status in ('pending', 'authorized') or refund_pending_minor > 0
      or exists (select from payment_attempts a where a.account_id = ${uuidOf(accountId)} and a.payment_id = mine.id
        and (a.next_check_at is not null or a.next_watch_at is not null or a.status = 'held'))
      or exists (select from refunds r where r.account_id = ${uuidOf(accountId)} and r.payment_id = mine.id
        and (r.next_check_at is not null or r.next_watch_at is not null))`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Blanks the personal fields of a customer's payments and attempts, and deletes the customer. The numbers of charges that can still be
 * refunded are retained, encrypted.
 * @returns the number of payments, and of those with a retained number
 */
export async function eraseStoredCustomer(
  tx: Tx,
  keys: Keys,
  accountId: AccountId,
  id: CustomerId,
): Promise<{ readonly payments: number; readonly retained: number }> {
  const charges = await findNumberedCharges(tx, accountId, id)
  await sql`
    update payment_attempts a set msisdn = null, next_action = null
    from payments p where p.account_id = ${uuidOf(accountId)} and p.customer_id = ${uuidOf(id)}
      and a.account_id = p.account_id and a.payment_id = p.id and (a.msisdn is not null or a.next_action is not null)`.execute(
    tx,
  )
  await retainNumbers(tx, keys, accountId, charges)
  // Earlier versions stored the whole response to a capture. A repeated request receives the present payment.
  await sql`
    update capture_instructions c set response = null
    from payments p where p.account_id = ${uuidOf(accountId)} and p.customer_id = ${uuidOf(id)}
      and c.account_id = p.account_id and c.payment_id = p.id and c.response is not null`.execute(tx)
  const { numAffectedRows } = await sql`
    update payments set customer_id = null, customer_email = null, customer_name = null, customer_phone = null,
      search_phone = null
    where account_id = ${uuidOf(accountId)} and customer_id = ${uuidOf(id)}`.execute(tx)
  await tx
    .deleteFrom('customers')
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .execute()
  return {
    payments: Number(numAffectedRows ?? 0n),
    retained: new Set(charges.map(({ paymentId }) => paymentId)).size,
  }
}
