import type { Locale } from '@muripo/contract/enums'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { requirePermission } from '../../permissions.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { lockSettings, updateLocale, updateTimeZone } from '../store-profile.ts'

interface Change {
  readonly timeZone?: string | undefined
  readonly locale?: Locale | null | undefined
}

const actions = { timeZone: 'account.time_zone_changed', locale: 'account.locale_changed' } as const

/** Sets the time zone in which the merchant's days begin, and the language of the person. */
export async function changeAccount(
  ctx: Ctx,
  caller: SessionCaller,
  request: { readonly ip: string; readonly id: string },
  change: Change,
): Promise<void> {
  const { merchantId, personId } = caller
  if (change.timeZone !== undefined) requirePermission(caller, 'merchant.write')
  await enforceThrottle(ctx, throttles.accountChanges, personId)
  await ctx.db.tx(async (tx) => {
    const before = await lockSettings(tx, merchantId, personId)
    const { timeZone = before.timeZone, locale = before.locale } = change
    const after = { timeZone, locale }
    const changed = (['timeZone', 'locale'] as const).filter((name) => before[name] !== after[name])
    if (timeZone !== before.timeZone) await updateTimeZone(tx, merchantId, timeZone)
    if (locale !== before.locale) await updateLocale(tx, personId, locale)
    for (const name of changed)
      await audit(ctx, tx, callerActor(caller, request), {
        action: actions[name],
        subject: merchantId,
        accountId: merchantId,
        details: { from: before[name], to: after[name] },
      })
  })
}
