import type { ApplicationId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { type MerchantProfile, merchantProfile } from '../../identity/index.ts'
import { bankingApprovedMail, bankingRejectedMail } from '../banking-emails.ts'
import { type BankingOf, listWaitingBanking, lockBanking, recordBankingReview } from '../store-banking.ts'

export interface WaitingBanking extends BankingOf {
  readonly merchant: MerchantProfile
}

/** Banking details that wait for a review, of all merchants, the longest waiting first. */
export async function waitingBanking(ctx: Ctx, limit: number): Promise<WaitingBanking[]> {
  const { kysely } = ctx.db
  const found = await listWaitingBanking(kysely, limit)
  return Promise.all(
    found.map(async (each) => ({ ...each, merchant: await merchantProfile(kysely, each.merchantId) })),
  )
}

/** The details that the operator has reviewed. */
export interface Reviewed {
  readonly applicationId: ApplicationId
  readonly revision: number
}

/**
 * - `done`: the review is recorded, and the merchant is notified
 * - `unchanged`: the same review was recorded already
 * - `changed`: the merchant has changed the details since, so the review is of an old revision
 * - `none`: there is no such application, or it has no banking details
 */
export type BankingReviewResult = 'done' | 'unchanged' | 'changed' | 'none'

/** Records the operator's review of banking details: approved, or the reason of the refusal. */
export const reviewBanking = (
  ctx: Ctx,
  actor: Actor,
  { applicationId, revision }: Reviewed,
  rejection: string | null,
): Promise<BankingReviewResult> =>
  ctx.db.tx(async (tx) => {
    const found = await lockBanking(tx, applicationId)
    if (found === null) return 'none'
    const { merchantId, applicationName, banking } = found
    if (banking.revision !== revision) return 'changed'
    const isUnchanged = rejection === null ? banking.nameApproved : banking.rejection === rejection
    if (isUnchanged) return 'unchanged'

    await recordBankingReview(tx, found, rejection, ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: rejection === null ? 'application.banking_approved' : 'application.banking_rejected',
      subject: applicationId,
      accountId: merchantId,
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
