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
 * Deletes a merchant whose owner is not proven, and the owner with codes and devices, behind the lock that a sign-in takes.
 * @returns its document, whose file the caller removes; null when the account is proven, deleted, or locked by another
 */
export async function deleteUnprovenAccount(
  tx: Tx,
  merchantId: MerchantId,
  { onlyOverdue }: { onlyOverdue: boolean },
): Promise<Discarded | null> {
  const id = uuidOf(merchantId)
  const { rows } = await sql<{ document_id: string; owner: string }>`
    select document_id, persons.id as owner
    from merchants join memberships on merchant_id = merchants.id and role = 'owner' join persons on persons.id = person_id
    where merchants.id = ${id} and persons.proven_at is null and (not ${onlyOverdue}::boolean or prove_by <= muripo_now())
    for update of persons skip locked`.execute(tx)
  const [account] = rows
  if (!account) return null
  await tx.deleteFrom('merchants').where('id', '=', id).execute()
  await tx.deleteFrom('persons').where('id', '=', account.owner).execute()
  return releaseDocument(tx, account.document_id)
}
