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
  await removeApprovedParts(tx, merchantId, id)
}

/** A part that its merchant removes needs no review: payers of live money no longer see it. */
async function removeApprovedParts(tx: Tx, merchantId: MerchantId, id: ApplicationId): Promise<void> {
  await sql`
    update approved_brands v set colour = case when b.colour is not null then v.colour end,
      logo = case when b.logo is not null then v.logo end, logo_type = case when b.logo is not null then v.logo_type end,
      logo_hash = case when b.logo is not null then v.logo_hash end
    from application_brands b
    where b.account_id = ${uuidOf(merchantId)} and b.application_id = ${uuidOf(id)}
      and v.account_id = b.account_id and v.application_id = b.application_id
      and (b.colour is null or b.logo is null)`.execute(tx)
}

/** Approves the present colours and logos of all applications: pages of live payments show them from the commit on. */
export async function approveBrands(tx: Tx, merchantId: MerchantId): Promise<void> {
  await sql`
    insert into approved_brands (account_id, application_id, colour, logo, logo_type, logo_hash)
    select account_id, application_id, colour, logo, logo_type, logo_hash from application_brands
    where account_id = ${uuidOf(merchantId)}
    on conflict (account_id, application_id) do update
      set colour = excluded.colour, logo = excluded.logo, logo_type = excluded.logo_type, logo_hash = excluded.logo_hash`.execute(
    tx,
  )
}

export async function findLogo(db: Queryable, hash: string): Promise<Omit<Logo, 'hash'> | null> {
  const { rows } = await sql<{ logo: Buffer; logo_type: Logo['type'] }>`
    select logo, logo_type from application_brands where logo_hash = ${hash}
    union all select logo, logo_type from approved_brands where logo_hash = ${hash}
    limit 1`.execute(db)
  const [row] = rows
  return row ? { type: row.logo_type, content: row.logo } : null
}
