import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { applicationResumedMail, applicationStoppedMail } from '../merchant-emails.ts'
import { lockReviewed, setStopReason } from '../store-review.ts'

/** `unchanged`: the application was in that state already. `none`: there is no such application. */
export type StopResult = 'done' | 'unchanged' | 'none'

interface StopRequest {
  readonly applicationId: ApplicationId
  /** The owner reads it. */
  readonly reason: string
}

/**
 * Stops an application for the operator: from the commit on its keys are refused and payers cannot begin to pay, until the operator
 * resumes it. The owner cannot resume it. Payments already under way are looked up and completed.
 */
export const stopApplication = (ctx: Ctx, operator: Actor, request: StopRequest): Promise<StopResult> =>
  changeStop(ctx, operator, request, 'stop')

/** Resumes a stopped application, with the status that its owner gave it. */
export const resumeApplication = (ctx: Ctx, operator: Actor, request: StopRequest): Promise<StopResult> =>
  changeStop(ctx, operator, request, 'resume')

const changeStop = (
  ctx: Ctx,
  operator: Actor,
  { applicationId, reason }: StopRequest,
  change: 'stop' | 'resume',
): Promise<StopResult> =>
  ctx.db.tx(async (tx) => {
    const application = await lockReviewed(tx, applicationId)
    if (application === null) return 'none'
    const isStopped = application.stopReason !== null
    if (isStopped === (change === 'stop')) return 'unchanged'
    const { merchantId, name } = application
    await setStopReason(tx, application, change === 'stop' ? reason : null, ctx.clock.now())
    await notifyKeysChanged(tx, applicationId)
    await audit(ctx, tx, operator, {
      action: change === 'stop' ? 'application.stopped_by_operator' : 'application.resumed_by_operator',
      subject: applicationId,
      accountId: merchantId,
      details: { reason },
    })
    const profile = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(
      tx,
      change === 'stop'
        ? applicationStoppedMail(profile, name, reason, ctx.config)
        : applicationResumedMail(profile, name, reason),
    )
    return 'done'
  })
