import { OTP_LENGTH } from '@muripo/contract/constants'
import type { OtpId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { claimResetCode, countResetCodes, deleteOwnerlessCodes } from '../code-store.ts'
import { hashCode } from '../codes.ts'
import { passwordResetMail } from '../password-reset-mail.ts'
import { accountByEmail, lockAccount } from '../store.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Anybody may ask for anybody's code: this is what a mailbox gets at most. */
const MAILS_AN_HOUR = 5

/** Gives the code that `forgotPassword` handed out to whoever has the address, if anybody does, and mails it. Done once. */
export async function sendResetCode(ctx: Ctx, request: { otpId: OtpId; email: string }): Promise<void> {
  await deleteOwnerlessCodes(ctx.db.kysely, plusMs(ctx.clock.now(), -DAY_MS))
  const found = await accountByEmail(ctx.db.kysely, request.email)
  if (found === null) return

  await ctx.db.tx(async (tx) => {
    const account = await lockAccount(tx, found.id)
    const now = ctx.clock.now()
    if ((await countResetCodes(tx, account.id, plusMs(now, -HOUR_MS))) >= MAILS_AN_HOUR) return
    const code = ctx.ids.digits(OTP_LENGTH)
    const codeHash = hashCode(ctx, request.otpId, 'password_reset', code)
    const isMine = await claimResetCode(tx, request.otpId, { merchantId: account.id, codeHash }, now)
    if (isMine) await ctx.mailer.send(tx, passwordResetMail(account.email, account.fullname, code))
  })
}
