import type { MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { take } from '../../../../platform/limits/limits.ts'
import { refuseSpent } from '../../../../platform/limits/refusal.ts'
import { accountChanges } from '../../limits.ts'
import { lockAccount } from '../store-accounts.ts'
import { setTimeZone } from '../store-profile.ts'

/** From here on the account's days begin at midnight there. */
export async function changeTimeZone(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  timeZone: string,
): Promise<void> {
  const use = { limit: accountChanges, by: merchantId }
  refuseSpent(await take(ctx, ctx.db.kysely, [use]), ctx.clock.now(), 'you change your account again')
  await ctx.db.tx(async (tx) => {
    const before = await lockAccount(tx, merchantId)
    if (before.timeZone === timeZone) return
    await setTimeZone(tx, merchantId, timeZone)
    await audit(ctx, tx, actor, {
      action: 'account.time_zone_changed',
      subject: merchantId,
      merchantId,
      details: { from: before.timeZone, to: timeZone },
    })
  })
}
