import { AccountId, type MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/** The account id of a merchant's test environment, which is created at the first request. */
export async function testAccountIdOf(ctx: Ctx, tx: Tx, merchantId: MerchantId): Promise<AccountId> {
  await sql`
    insert into environments (id, merchant_id) values (${uuidOf(ctx.ids.next(AccountId))}, ${uuidOf(merchantId)})
    on conflict (merchant_id) where id <> merchant_id do nothing`.execute(tx)
  const row = await tx
    .selectFrom('environments')
    .select('id')
    .where('merchant_id', '=', uuidOf(merchantId))
    .whereRef('id', '<>', 'merchant_id')
    .executeTakeFirst()
  invariant(row, 'an environment that was just created exists')
  return idFrom(AccountId, row.id)
}
