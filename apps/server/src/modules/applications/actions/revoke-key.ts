import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { bookOf } from '../book.ts'
import type { KeyMode } from '../key.ts'
import { tellKeysChanged } from '../key-cache.ts'
import { keyRevokedMail } from '../merchant-mails.ts'
import { revokeKeys } from '../store-keys.ts'
import { lockReviewed } from '../store-review.ts'

/**
 * Takes a key out of force at the operator's word; its owner makes another one when they will.
 * @returns `known` when the application has no such key in force, `none` when there is no such application
 */
export const revokeKey = (
  ctx: Ctx,
  operator: Actor,
  { applicationId, mode, reason }: { applicationId: ApplicationId; mode: KeyMode; reason: string },
): Promise<'done' | 'known' | 'none'> =>
  ctx.db.tx(async (tx) => {
    const application = await lockReviewed(tx, applicationId)
    if (application === null) return 'none'
    const { merchantId, name } = application
    const book = await bookOf(ctx, tx, merchantId, mode)
    if ((await revokeKeys(tx, book, applicationId, mode, ctx.clock.now())) === 0) return 'known'
    await tellKeysChanged(tx, applicationId)
    await audit(ctx, tx, operator, {
      action: 'application.key_revoked_by_operator',
      subject: applicationId,
      merchantId,
      details: { mode, reason },
    })
    const profile = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(tx, keyRevokedMail(profile, name, mode, reason))
    return 'done'
  })
