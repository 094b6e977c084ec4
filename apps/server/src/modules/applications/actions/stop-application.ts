import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { tellKeysChanged } from '../key-cache.ts'
import { applicationResumedMail, applicationStoppedMail } from '../merchant-mails.ts'
import { lockReviewed, setStopReason } from '../store-review.ts'

/** `known`: the application was in that state already. `none`: there is no such application. */
export type Stopped = 'done' | 'known' | 'none'

interface StopOrder {
  readonly applicationId: ApplicationId
  /** The owner reads it. */
  readonly reason: string
}

/**
 * Stops an application at the operator's word: its keys are refused and no payer can begin to pay, from the commit on, until the operator
 * lets it go on. Its owner cannot. Payments already under way are looked up and completed.
 */
export const stopApplication = (
  ctx: Ctx,
  operator: Actor,
  { applicationId, reason }: StopOrder,
): Promise<Stopped> =>
  ctx.db.tx(async (tx) => {
    const application = await lockReviewed(tx, applicationId)
    if (application === null) return 'none'
    if (application.stopReason !== null) return 'known'
    const { merchantId, name } = application
    await setStopReason(tx, application, reason, ctx.clock.now())
    await tellKeysChanged(tx, applicationId)
    await audit(ctx, tx, operator, {
      action: 'application.stopped_by_operator',
      subject: applicationId,
      merchantId,
      details: { reason },
    })
    const profile = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(tx, applicationStoppedMail(profile, name, reason, ctx.config))
    return 'done'
  })

/** Lets a stopped application go on, with the status that its owner gave it. */
export const resumeApplication = (
  ctx: Ctx,
  operator: Actor,
  { applicationId, reason }: StopOrder,
): Promise<Stopped> =>
  ctx.db.tx(async (tx) => {
    const application = await lockReviewed(tx, applicationId)
    if (application === null) return 'none'
    if (application.stopReason === null) return 'known'
    const { merchantId, name } = application
    await setStopReason(tx, application, null, ctx.clock.now())
    await tellKeysChanged(tx, applicationId)
    await audit(ctx, tx, operator, {
      action: 'application.resumed_by_operator',
      subject: applicationId,
      merchantId,
      details: { reason },
    })
    const profile = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(tx, applicationResumedMail(profile, name, reason))
    return 'done'
  })
