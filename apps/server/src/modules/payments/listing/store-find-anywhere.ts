import { AccountId, PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus } from '@muripo/contract/payments'
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, parseId, uuidOf } from '../../../platform/ids.ts'

/** A payment of any merchant, as an operator finds it. */
export interface FoundPayment {
  readonly accountId: AccountId
  readonly id: PaymentId
  readonly shopName: string
  readonly amount: Money
  readonly status: PaymentStatus
  readonly method: PaymentMethod | null
  readonly reference: string | null
  readonly providerReference: string | null
  readonly createdAt: Date
}

const MOST = 50

/**
 * The payments of all merchants with an id, a merchant's reference or a provider's reference, the newest first. Each merchant is looked up
 * by its own key, so that no index of payments exists for operators alone.
 */
export async function findAnywhere(db: Queryable, search: string): Promise<FoundPayment[]> {
  const id = parseId(PaymentId, search)
  const found = id === null ? byReference(search) : byId(id)
  const { rows } = await sql<Row>`
    select p.account_id, p.id, a.name, p.amount_minor, p.currency, p.status, p.method, p.reference, p.provider_reference, p.created_at
    from (${found}) as p join applications a on a.account_id = p.account_id and a.id = p.application_id
    order by p.id desc limit ${MOST}`.execute(db)
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    id: idFrom(PaymentId, row.id),
    shopName: row.name,
    amount: money(row.amount_minor, row.currency),
    status: row.status,
    method: row.method,
    reference: row.reference,
    providerReference: row.provider_reference,
    createdAt: row.created_at,
  }))
}

interface Row {
  readonly account_id: string
  readonly id: string
  readonly name: string
  readonly amount_minor: bigint
  readonly currency: Currency
  readonly status: PaymentStatus
  readonly method: PaymentMethod | null
  readonly reference: string | null
  readonly provider_reference: string | null
  readonly created_at: Date
}

/** The limit makes the planner look up each environment by the primary key. */
const byId = (id: PaymentId): RawBuilder<unknown> => sql`
  select found.* from environments e cross join lateral (
    select p.* from payments p where p.account_id = e.id and p.id = ${uuidOf(id)} limit 1) as found`

/** The same payment may have both references. */
const byReference = (reference: string): RawBuilder<unknown> => sql`
  select found.* from applications each cross join lateral (
    select p.* from payments p where p.account_id = each.account_id and p.application_id = each.id and p.reference = ${reference}
    order by p.id desc limit ${MOST}) as found
  union
  select p.* from payments p where provider_reference_key(p.provider_reference) = provider_reference_key(${reference})
    and p.provider_reference is not null and p.completed_at is not null`
