import type { MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { lockAccount } from '../../accounts/store-accounts.ts'
import { endAccess } from '../sessions.ts'

/** Ends every session of the account, the caller's too, and the codes that would open another. */
export async function signOutEverywhere(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, merchantId)
    await confirm(tx)
    const sessions = await endAccess(tx, merchantId, 'signed_out_everywhere', ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'session.signed_out_everywhere',
      subject: merchantId,
      accountId: merchantId,
      details: { sessions },
    })
  })
}
