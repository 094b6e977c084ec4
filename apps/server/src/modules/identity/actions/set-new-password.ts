import { OtpId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import { endCodesOf, spendTry, useCode } from '../code-store.ts'
import { isCode } from '../codes.ts'
import { passwordChangedMail } from '../password-changed-mail.ts'
import { hashPassword } from '../passwords.ts'
import { endSessionsOf } from '../session-store.ts'
import { lockAccount, profileOf, updatePassword } from '../store.ts'

/** Sets a new password with the mailed code, and with it ends everything that the old one opened. Signs nobody in. */
export async function setNewPassword(
  ctx: Ctx,
  input: { otpId: string; otp: string; newPassword: string },
): Promise<{ message: string }> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw expired()

  // The try is spent and committed before the comparison: guesses that arrive together still count one by one.
  const spent = await spendTry(ctx.db.kysely, id, 'password_reset', ctx.clock.now())
  if (spent === null) throw expired()
  const isRight = isCode(ctx, id, 'password_reset', input.otp, spent.codeHash)
  const { merchantId } = spent
  if (merchantId === null || !isRight) throw new AppError('otp_invalid')

  const passwordHash = await hashPassword(ctx, input.newPassword)
  await ctx.db.tx(async (tx) => {
    const account = await lockAccount(tx, merchantId)
    const now = ctx.clock.now()
    if (!(await useCode(tx, id, now))) throw expired()
    await updatePassword(tx, merchantId, passwordHash)
    // Codes first: a session that one of them opens at this moment is committed before the sessions are looked for.
    await endCodesOf(tx, merchantId, now)
    await endSessionsOf(tx, merchantId, 'password_reset', now)
    const { timeZone } = await profileOf(tx, merchantId)
    await ctx.mailer.send(tx, passwordChangedMail(account.email, account.fullname, { at: now, timeZone }))
  })
  return { message: 'Password updated. Please sign in.' }
}

const expired = () =>
  new AppError('otp_expired', { detail: 'The code has expired. Please ask for a new one' })
