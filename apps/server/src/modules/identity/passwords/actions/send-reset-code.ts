import { OTP_LENGTH } from '@muripo/contract/constants'
import type { Locale } from '@muripo/contract/enums'
import type { OtpId } from '@muripo/contract/ids'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { accountByEmail, lockAccountOrNull } from '../../accounts/store-accounts.ts'
import { hasDevices, isDeviceOf } from '../../devices/store-devices.ts'
import { occasion } from '../../devices/visitor.ts'
import { nextCodeAt } from '../../one-time-codes/code-limits.ts'
import { hashCode, hashLink, newLinkToken } from '../../one-time-codes/codes.ts'
import { claimResetCode, deleteOwnerlessCodes } from '../../one-time-codes/store-codes.ts'
import { DAY_MS } from '../../throttles.ts'
import { passwordResetMail, unprovenResetMail } from '../emails.ts'

interface Request {
  readonly otpId: OtpId
  readonly email: string
  /** The hash of the requesting device, recognised or not. */
  readonly device: Buffer | null
  readonly address: string
  readonly requestId: string
  readonly userAgent: string
  readonly locale: Locale
  readonly at: Date
}

/**
 * Assigns the code of `forgotPassword` to the account of the email, if there is one, and mails it, once. Anybody can request codes for any
 * email, so the number of mails is limited.
 */
export async function sendResetCode(ctx: Ctx, request: Request): Promise<void> {
  const { otpId, email, device } = request
  await deleteOwnerlessCodes(ctx.db.kysely, plusMs(ctx.clock.now(), -DAY_MS))
  const found = await accountByEmail(ctx.db.kysely, email)
  if (found === null) return

  await ctx.db.tx(async (tx) => {
    const account = await lockAccountOrNull(tx, found.id)
    if (account === null) return
    const limitSubject = (await isDeviceOf(tx, account.id, device)) ? device : null
    if (
      (await nextCodeAt(ctx, tx, { merchantId: account.id, purpose: 'password_reset', limitSubject })) !==
      null
    )
      return
    const code = ctx.ids.digits(OTP_LENGTH)
    const codeHash = hashCode(ctx, otpId, 'password_reset', code)
    const token = newLinkToken(ctx)
    const owner = { merchantId: account.id, limitSubject, codeHash, linkHash: hashLink(ctx, token) }
    if (!(await claimResetCode(tx, otpId, owner, ctx.clock.now()))) return
    await audit(ctx, tx, visitorActor(request), {
      action: 'account.code_issued',
      subject: otpId,
      accountId: account.id,
      details: { purpose: 'password_reset' },
    })
    const locale = account.locale ?? request.locale
    const mail = account.isProven ? passwordResetMail : unprovenResetMail
    await ctx.mailer.send(
      tx,
      mail({
        // Browsers do not send the fragment, so the token is in no log and no referrer.
        link: `${ctx.config.publicUrl}/auth/password/reset#${token}`,
        to: account.email,
        fullname: account.fullname,
        code,
        occasion: occasion(request, request.at, account.timeZone, locale),
        locale,
        isNewDevice: limitSubject === null && (await hasDevices(tx, account.id)),
      }),
    )
  })
}
