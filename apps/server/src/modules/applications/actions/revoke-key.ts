import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { merchantProfile } from '../../identity/index.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { keyRevokedMail } from '../merchant-emails.ts'
import { revokeKeys } from '../store-keys.ts'
import { lockReviewed } from '../store-review.ts'
import { accountIdFor } from './issue-key.ts'

/**
 * Revokes a key for the operator. The owner can make another one.
 * @returns `unchanged` when the application has no such active key, `none` when there is no such application
 */
export const revokeKey = (
  ctx: Ctx,
  operator: Actor,
  { applicationId, mode, reason }: { applicationId: ApplicationId; mode: KeyMode; reason: string },
): Promise<'done' | 'unchanged' | 'none'> =>
  ctx.db.tx(async (tx) => {
    const application = await lockReviewed(tx, applicationId)
    if (application === null) return 'none'
    const { merchantId, name } = application
    const accountId = await accountIdFor(ctx, tx, merchantId, mode)
    if ((await revokeKeys(tx, accountId, applicationId, mode, ctx.clock.now())) === 0) return 'unchanged'
    await notifyKeysChanged(tx, applicationId)
    await audit(ctx, tx, operator, {
      action: 'application.key_revoked_by_operator',
      subject: applicationId,
      accountId: merchantId,
      details: { mode, reason },
    })
    const profile = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(tx, keyRevokedMail(profile, name, mode, reason))
    return 'done'
  })
