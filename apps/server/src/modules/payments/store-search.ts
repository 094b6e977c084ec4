import { PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { idFrom } from '../../platform/ids.ts'
import { beginnings, gramsOf, numberOf } from './searched.ts'
import { contains, type Sql } from './store-conditions.ts'

/** Brings ids of a merchant who has so many that are not in the index there; returns how many. */
export async function indexDuePayments(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ indexed: number }>`select index_due_payments(${most}::int) as indexed`.execute(
    db,
  )
  return rows[0]?.indexed ?? 0
}

/** Fewer letters are in so many ids that an index is no help. */
export const hasIndex = (fragment: string): boolean => fragment.length >= 3

/** A query for the ids that contain a fragment which has an index. */
export async function withFragment(db: Queryable, merchantId: string, fragment: string): Promise<Sql> {
  const ofMerchant = sql`merchant_id = ${merchantId}::uuid`
  const found = [
    sql`select id from payment_search where ${ofMerchant} and payment_grams(merchant_id, id) @> ${keysOf(merchantId, fragment)}
      and ${contains(sql`id`, fragment)}`,
    sql`select id from payments where ${notIndexed(merchantId)} and ${contains(sql`id`, fragment)}`,
    sql`select payment_id from payment_changes where ${ofMerchant} and is_new and ${contains(sql`payment_id`, fragment)}`,
  ]
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select id from payments where ${ofMerchant} order by id limit 1) as first,
      (select id from payments where ${ofMerchant} order by id desc limit 1) as last`.execute(db)
  const { first, last } = rows[0] ?? {}
  if (first && last) {
    for (const ids of beginnings(fragment, idFrom(PaymentId, first), idFrom(PaymentId, last)))
      found.push(
        sql`select id from payments where ${ofMerchant} and id between ${ids.least}::uuid and ${ids.most}::uuid`,
      )
  }
  return sql.join(found, sql` union `)
}

const keysOf = (merchantId: string, fragment: string): Sql => {
  const keys = gramsOf(fragment).map(
    (gram) => sql`uuid_hash_extended(${merchantId}::uuid, 0) << 15 | ${gram}::bigint`,
  )
  return sql`array[${sql.join(keys)}]`
}

/** A query for how many ids contain one letter or two. */
export const countOfLetters = (merchantId: string, letters: string): Sql => {
  const code = letters.length === 1 ? 1024 + numberOf(letters) : numberOf(letters)
  return sql`select coalesce(sum(number), 0) from (
    select payments from payment_search_counts where merchant_id = ${merchantId}::uuid and letters = ${code}
    union all
    select count(*) from payments where ${notIndexed(merchantId)} and ${contains(sql`id`, letters)}
    union all
    select count(*) from payment_changes
    where merchant_id = ${merchantId}::uuid and is_new and payment_id <= ${indexedTo(merchantId)} and ${contains(sql`payment_id`, letters)}
  ) as numbers (number)`
}

const indexedTo = (merchantId: string): Sql =>
  sql`(select indexed_to from payment_search_progress where merchant_id = ${merchantId}::uuid)`

const notIndexed = (merchantId: string): Sql =>
  sql`merchant_id = ${merchantId}::uuid and id > coalesce(${indexedTo(merchantId)}, '00000000-0000-0000-0000-000000000000')`
