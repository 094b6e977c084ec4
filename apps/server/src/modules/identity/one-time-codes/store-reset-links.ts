import { MerchantId, OtpId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/** The request that a link belongs to, while the link can be used. */
export async function findResetLink(
  q: Queryable,
  linkHash: Buffer,
): Promise<{ otpId: OtpId; merchantId: MerchantId } | null> {
  const { rows } = await sql<{ id: string; merchant_id: string }>`
    select id, merchant_id from one_time_codes
    where link_hash = ${linkHash} and used_at is null and ended_at is null and link_expires_at > muripo_now()`.execute(
    q,
  )
  const [row] = rows
  return row ? { otpId: idFrom(OtpId, row.id), merchantId: idFrom(MerchantId, row.merchant_id) } : null
}

/** True for one caller only, and for none once the code of the same mail was used or the link has expired. */
export async function useResetLink(tx: Tx, id: OtpId): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update one_time_codes set used_at = muripo_now()
    where id = ${uuidOf(id)} and link_hash is not null
      and used_at is null and ended_at is null and link_expires_at > muripo_now()`.execute(tx)
  return numAffectedRows === 1n
}
