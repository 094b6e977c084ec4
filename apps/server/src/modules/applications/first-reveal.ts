import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import {
  isFirstReveal,
  merchantProfile,
  occasion,
  type SessionCaller,
  type Visitor,
} from '../identity/index.ts'
import { keyShownMail } from './key-emails.ts'

/** Mails the owner when a live key is shown to a browser, or a session of an unrecognised one, for the first time. */
export async function mailFirstReveal(
  ctx: Ctx,
  tx: Tx,
  caller: SessionCaller,
  visitor: Visitor,
  applicationName: string,
): Promise<void> {
  const at = ctx.clock.now()
  if (!(await isFirstReveal(tx, caller, visitor.device?.hash ?? null, at))) return
  const merchant = await merchantProfile(tx, caller.merchantId)
  const { contactEmail } = ctx.config
  await ctx.mailer.send(
    tx,
    keyShownMail(merchant, {
      applicationName,
      occasion: occasion(visitor, at, merchant.timeZone, merchant.locale),
      contactEmail,
    }),
  )
}
