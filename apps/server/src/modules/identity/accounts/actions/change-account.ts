import type { Locale } from '@muripo/contract/enums'
import type { MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { lockAccount, updateProfile } from '../store-accounts.ts'

interface Change {
  readonly timeZone?: string | undefined
  readonly locale?: Locale | null | undefined
}

const actions = { timeZone: 'account.time_zone_changed', locale: 'account.locale_changed' } as const

/** Sets the time zone in which the account's days begin, and the language of its owner. */
export async function changeAccount(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  change: Change,
): Promise<void> {
  await enforceThrottle(ctx, throttles.accountChanges, merchantId)
  await ctx.db.tx(async (tx) => {
    const before = await lockAccount(tx, merchantId)
    const { timeZone = before.timeZone, locale = before.locale } = change
    const after = { timeZone, locale }
    const changed = (['timeZone', 'locale'] as const).filter((name) => before[name] !== after[name])
    if (changed.length === 0) return
    await updateProfile(tx, merchantId, after)
    for (const name of changed)
      await audit(ctx, tx, actor, {
        action: actions[name],
        subject: merchantId,
        accountId: merchantId,
        details: { from: before[name], to: after[name] },
      })
  })
}
