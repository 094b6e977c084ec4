import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { bankingApprovedMail, bankingRejectedMail } from '../banking-mails.ts'
import { lockBanking, setVerdict } from '../store-banking.ts'

/** The details that an operator has looked at. */
export interface Reviewed {
  readonly applicationId: ApplicationId
  readonly revision: number
}

/**
 * - `done`: the verdict stands, and the merchant is told
 * - `known`: it stood already
 * - `changed`: the details are others by now, which nobody has looked at
 * - `none`: there is no such application, or it has no banking details
 */
export type Judged = 'done' | 'known' | 'changed' | 'none'

/** An operator's word on banking details: approved, or the reason why not. */
export const judgeBanking = (
  ctx: Ctx,
  actor: Actor,
  { applicationId, revision }: Reviewed,
  rejection: string | null,
): Promise<Judged> =>
  ctx.db.tx(async (tx) => {
    const found = await lockBanking(tx, applicationId)
    if (found === null) return 'none'
    const { merchantId, applicationName, banking } = found
    if (banking.revision !== revision) return 'changed'
    const stands = rejection === null ? banking.nameApproved : banking.rejection === rejection
    if (stands) return 'known'

    await setVerdict(tx, found, rejection, ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: rejection === null ? 'application.banking_approved' : 'application.banking_rejected',
      subject: applicationId,
      merchantId,
      details: { revision, ...(rejection === null ? {} : { reason: rejection }) },
    })
    const merchant = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(
      tx,
      rejection === null
        ? bankingApprovedMail(merchant, applicationName, banking.details)
        : bankingRejectedMail(merchant, applicationName, banking.details, rejection),
    )
    return 'done'
  })
