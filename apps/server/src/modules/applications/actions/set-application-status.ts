import type { Application } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { touchApplication } from '../store.ts'
import { changeApplication } from './change-application.ts'

/**
 * Deactivates or activates an application. From the commit on, keys of an inactive application are refused. Existing payments are not
 * affected: a payer who has begun to pay can finish, and captured payments can be refunded.
 * @throws AppError not_found when the merchant has no such application; application_stopped when the operator has stopped it.
 */
export const setApplicationStatus = (
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  status: Application['status'],
): Promise<Application> =>
  changeApplication(ctx, merchantId, applicationId, async (tx, before) => {
    if (before.stopReason !== null && status === 'active') throw new AppError('application_stopped')
    if (before.status === status) return
    await touchApplication(tx, merchantId, applicationId, ctx.clock.now(), status)
    await notifyKeysChanged(tx, applicationId)
    await audit(ctx, tx, actor, {
      action: 'application.status_changed',
      subject: applicationId,
      accountId: merchantId,
      details: { from: before.status, to: status },
    })
  })
