import type { Application, BankingDetails } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { bankingChangedMail, masked } from '../banking-emails.ts'
import { replaceBanking } from '../store-banking.ts'
import { changeApplication } from './change-application.ts'

/**
 * Replaces the banking details. New details wait for a review by the operator, and the merchant is notified by mail, because a thief who
 * redirects payouts changes them first.
 * @throws AppError not_found when the merchant has no such application.
 */
export const updateBanking = (
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  details: BankingDetails,
): Promise<Application> =>
  changeApplication(ctx, merchantId, applicationId, async (tx, { name, banking }) => {
    const before = banking?.details ?? null
    const changed = changedFields(before, details)
    if (changed.length === 0) return
    const at = ctx.clock.now()
    await replaceBanking(tx, merchantId, applicationId, details, at)
    await audit(ctx, tx, actor, {
      action: 'application.banking_changed',
      subject: applicationId,
      accountId: merchantId,
      details: { changed, from: before && recorded(before), to: recorded(details) },
    })
    const merchant = await merchantProfile(tx, merchantId)
    const { contactEmail } = ctx.config
    await ctx.mailer.send(
      tx,
      bankingChangedMail(merchant, {
        applicationName: name,
        details,
        changed,
        at,
        address: actor.address,
        contactEmail,
      }),
    )
  })

const changedFields = (before: BankingDetails | null, after: BankingDetails): (keyof BankingDetails)[] =>
  (Object.keys(after) as (keyof BankingDetails)[]).filter((field) => before?.[field] !== after[field])

/** The account number is masked, because audit entries are never deleted. */
const recorded = (details: BankingDetails): BankingDetails => ({
  ...details,
  bankAccountNumber: masked(details.bankAccountNumber),
})
