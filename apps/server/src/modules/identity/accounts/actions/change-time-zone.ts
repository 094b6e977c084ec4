import type { MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { enforceThrottle } from '../../enforce-throttles.ts'
import { throttles } from '../../throttles.ts'
import { lockAccount } from '../store-accounts.ts'
import { setTimeZone } from '../store-profile.ts'

/** Sets the time zone in which the account's days begin. */
export async function changeTimeZone(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  timeZone: string,
): Promise<void> {
  await enforceThrottle(ctx, throttles.accountChanges, merchantId)
  await ctx.db.tx(async (tx) => {
    const before = await lockAccount(tx, merchantId)
    if (before.timeZone === timeZone) return
    await setTimeZone(tx, merchantId, timeZone)
    await audit(ctx, tx, actor, {
      action: 'account.time_zone_changed',
      subject: merchantId,
      accountId: merchantId,
      details: { from: before.timeZone, to: timeZone },
    })
  })
}
