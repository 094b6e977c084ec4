import type { PersonId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Queryable } from '../../../../platform/db/database.ts'
import { momentText } from '../../../../platform/mail/email-content.ts'
import { totpRemovedByOperatorMail } from '../../emails.ts'
import { lockAccountOrNull } from '../../persons/store-persons.ts'
import { deleteTotp, findTotp } from '../store-factors.ts'

/** The time since which a person has the authenticator app; null without one. */
export const authenticatorOf = async (q: Queryable, personId: PersonId): Promise<string | null> =>
  (await findTotp(q, personId))?.enabledAt?.toISOString() ?? null

/**
 * Removes a lost authenticator app for the operator, with its recovery codes. Sign-ins need a mailed code again.
 * @returns false when the person has no such app
 */
export const removeAuthenticator = (
  ctx: Ctx,
  operator: Actor,
  personId: PersonId,
  reason: string,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const account = await lockAccountOrNull(tx, personId)
    if (account === null || !(await deleteTotp(tx, personId))) return false
    const { merchantId: accountId, timeZone, locale } = account
    await audit(ctx, tx, operator, {
      action: 'account.totp_removed_by_operator',
      subject: personId,
      accountId,
      details: { reason },
    })
    const when = momentText(ctx.clock.now(), timeZone, locale)
    await ctx.mailer.send(tx, totpRemovedByOperatorMail(account, when))
    return true
  })
