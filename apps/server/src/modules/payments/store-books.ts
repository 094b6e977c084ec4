import type { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'

const MOST = 20

export async function findMisbooked(db: Queryable, merchantId: MerchantId | null): Promise<string[]> {
  const of = merchantId === null ? sql`true` : sql`merchant_id = ${uuidOf(merchantId)}`
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from payment_ledger_drift where ${of} order by payment_id limit ${MOST}`.execute(db)
  return rows.map(({ payment_id }) => payment_id)
}
