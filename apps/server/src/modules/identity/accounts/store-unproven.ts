import { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type Discarded, releaseDocument } from '../documents/store-documents.ts'

/** Accounts that were not proven in time, in the order of their ids. */
export async function overdueAccounts(
  q: Queryable,
  after: MerchantId | null,
  limit: number,
): Promise<MerchantId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from merchants
    where proven_at is null and prove_by <= muripo_now() and (${after && uuidOf(after)}::uuid is null or id > ${after && uuidOf(after)})
    order by id limit ${limit}`.execute(q)
  return rows.map(({ id }) => idFrom(MerchantId, id))
}

/**
 * Deletes an account that is not proven and everything that it owns. Codes are deleted behind the account's lock, as sign-in takes them.
 * @returns its document, whose file the caller removes; null when the account is proven, deleted, or locked by another
 */
export async function deleteUnprovenAccount(
  tx: Tx,
  merchantId: MerchantId,
  { onlyOverdue }: { onlyOverdue: boolean },
): Promise<Discarded | null> {
  const id = uuidOf(merchantId)
  const { rows } = await sql<{ document_id: string }>`
    select document_id from merchants
    where id = ${id} and proven_at is null and (not ${onlyOverdue}::boolean or prove_by <= muripo_now())
    for update skip locked`.execute(tx)
  const [account] = rows
  if (!account) return null
  await tx.deleteFrom('one_time_codes').where('merchant_id', '=', id).execute()
  await tx.deleteFrom('devices').where('merchant_id', '=', id).execute()
  await tx.deleteFrom('merchants').where('id', '=', id).execute()
  return releaseDocument(tx, account.document_id)
}
