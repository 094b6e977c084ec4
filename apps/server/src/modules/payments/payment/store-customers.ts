import { type AccountId, CustomerId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, timeOf, uuidOf } from '../../../platform/ids.ts'
import type { Customer } from './customer.ts'
import { customers } from './tables.ts'

export interface StoredCustomer extends Customer {
  readonly createdAt: Date
}

/**
 * Inserts new customers, and adds the details that a stored customer lacks: of several rows for one customer, the first phone and the first
 * name count. A complete customer is not updated, so that payments of one customer do not wait for each other. Every statement writes the
 * rows in the same order.
 */
export const upsertCustomers = (named: string): string => `
  insert into customers as kept (account_id, id, email, phone, name, first_seen)
  select account_id, id, (array_agg(email order by first_seen))[1],
    (array_agg(phone order by first_seen) filter (where phone is not null))[1],
    (array_agg(name order by first_seen) filter (where name is not null))[1], (array_agg(first_seen order by first_seen))[1]
  from (${named}) as named
  where id is not null and not exists (
    select from customers as known where known.account_id = named.account_id and known.id = named.id
      and (known.phone is not null or named.phone is null) and (known.name is not null or named.name is null))
  group by account_id, id
  order by account_id, id
  on conflict (account_id, id) do update
    set phone = coalesce(kept.phone, excluded.phone), name = coalesce(kept.name, excluded.name)
    where (kept.phone is null and excluded.phone is not null) or (kept.name is null and excluded.name is not null)`

const select = (db: Queryable, accountId: AccountId) =>
  db.selectFrom('customers').select(customers.names).where('account_id', '=', uuidOf(accountId))

function toCustomer(row: Readonly<Record<string, unknown>>): StoredCustomer {
  const { firstSeen, ...customer } = customers.read(row)
  return { ...customer, createdAt: timeOf(idFrom(CustomerId, firstSeen)) }
}

export async function findCustomer(
  db: Queryable,
  accountId: AccountId,
  id: CustomerId,
): Promise<StoredCustomer | null> {
  const row = await select(db, accountId).where('id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toCustomer(row) : null
}

/** The newest first, after the customer with the cursor's id; the cursor must be a customer's id. */
export async function listStoredCustomers(
  db: Queryable,
  accountId: AccountId,
  { id, phone, cursor, most }: { id?: CustomerId; phone?: string; cursor?: CustomerId; most: number },
): Promise<StoredCustomer[]> {
  let query = select(db, accountId)
  if (id !== undefined) query = query.where('id', '=', uuidOf(id))
  if (phone !== undefined) query = query.where('phone', '=', phone)
  if (cursor !== undefined) {
    query = query.where('first_seen', '<', (after) =>
      after
        .selectFrom('customers')
        .select('first_seen')
        .where('account_id', '=', uuidOf(accountId))
        .where('id', '=', uuidOf(cursor)),
    )
  }
  const rows = await query.orderBy('first_seen', 'desc').limit(most).execute()
  return rows.map(toCustomer)
}
