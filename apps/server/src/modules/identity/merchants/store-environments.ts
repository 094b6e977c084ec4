import { AccountId, type MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { areTogether } from '../../../platform/db/databases.ts'
import { invariant } from '../../../platform/errors.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/**
 * The account id of a merchant's test environment, which is created at the first request. On several nodes the schema is named, because
 * the environments of a shard group are a view on those of its node.
 */
export async function testAccountIdOf(ctx: Ctx, tx: Tx, merchantId: MerchantId): Promise<AccountId> {
  await sql`
    insert into public.environments (id, merchant_id) values (${uuidOf(idBeside(ctx, merchantId))}, ${uuidOf(merchantId)})
    on conflict (merchant_id) where id <> merchant_id do nothing`.execute(tx)
  const row = await tx
    .selectFrom('environments')
    .select('id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('kind', '=', 'tests')
    .executeTakeFirst()
  invariant(row, 'an environment that was just created exists')
  return idFrom(AccountId, row.id)
}

/** A random id belongs to each database with the same probability, so this many suffice for any number of them. */
const MOST_IDS = 10_000

/** An account id in the database of the merchant, so that the dashboard reads both environments at once. */
function idBeside(ctx: Pick<Ctx, 'db' | 'ids'>, merchantId: MerchantId): AccountId {
  for (let made = 0; made < MOST_IDS; made += 1) {
    const id = ctx.ids.next(AccountId)
    if (areTogether(ctx.db, id, merchantId)) return id
  }
  throw new Error('no id of this database was found')
}

/** The ids of a merchant's environments: the merchant's own, and that for tests. */
export async function environmentsOf(q: Queryable, id: MerchantId): Promise<readonly string[]> {
  const rows = await q
    .selectFrom('environments')
    .select('id')
    .where('merchant_id', '=', uuidOf(id))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}
