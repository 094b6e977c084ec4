import type { Application } from '@muripo/contract/applications'
import type { ApplicationId } from '@muripo/contract/ids'
import { callerActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import {
  isFirstReveal,
  merchantProfile,
  occasion,
  type SessionCaller,
  type Visitor,
} from '../../identity/index.ts'
import { keyShownMail } from '../merchant-emails.ts'
import { findApplication } from '../store.ts'
import { forMember, seesKey, toWire } from '../wire.ts'

/**
 * Returns an application with its keys. An audit entry records each reveal of a live key, and the first reveal to a browser is mailed.
 * @throws AppError not_found when the merchant has no such application.
 */
export async function showApplication(
  ctx: Ctx,
  caller: SessionCaller,
  id: ApplicationId,
  visitor: Visitor,
): Promise<Application> {
  const { merchantId } = caller
  const { keyMode } = ctx.config
  const application = await findApplication(ctx.reads.kysely, merchantId, keyMode, id)
  if (application === null) throw new AppError('not_found')
  if (keyMode === 'live' && application.encryptedKey !== null && seesKey(caller, keyMode)) {
    await ctx.db.tx(async (tx) => {
      await audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
        action: 'application.key_shown',
        subject: id,
        accountId: merchantId,
      })
      await mailFirstReveal(ctx, tx, caller, visitor, application.name)
    })
  }
  return forMember(ctx, caller, toWire(ctx, merchantId, application))
}

/** Mails the owner at the first reveal of a live key to each recognised device, and to each session without one. */
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
