import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { Logo } from './logo/logo.ts'

/** @param logo undefined for the stored one */
export async function storeBrand(
  tx: Tx,
  merchantId: MerchantId,
  id: ApplicationId,
  colour: string | null,
  logo: Logo | null | undefined,
): Promise<void> {
  const written = {
    colour,
    ...(logo !== undefined && {
      logo: logo?.content ?? null,
      logo_type: logo?.type ?? null,
      logo_hash: logo?.hash ?? null,
    }),
  }
  await tx
    .insertInto('application_brands')
    .values({ account_id: uuidOf(merchantId), application_id: uuidOf(id), ...written })
    .onConflict((conflict) => conflict.columns(['account_id', 'application_id']).doUpdateSet(written))
    .execute()
}

export async function findLogo(db: Queryable, hash: string): Promise<Omit<Logo, 'hash'> | null> {
  const { rows } = await sql<{ logo: Buffer; logo_type: Logo['type'] }>`
    select logo, logo_type from application_brands where logo_hash = ${hash} limit 1`.execute(db)
  const [row] = rows
  return row ? { type: row.logo_type, content: row.logo } : null
}
