import type { signIn as route } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { OtpId } from '@muripo/contract/ids'
import type { Body } from '@muripo/contract/route'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { CODE_LIFE_MS, hashCode, TRIES_ALLOWED } from '../codes.ts'
import { decoyHash, verifyPassword } from '../passwords.ts'
import { signInMail } from '../sign-in-mail.ts'
import { accountByEmail, insertCode } from '../store.ts'

export async function signIn(
  ctx: Ctx,
  input: Body<typeof route>,
): Promise<{ otpId: OtpId; message: string }> {
  const account = await accountByEmail(ctx.db.kysely, input.email)
  const isPassword = await verifyPassword(ctx, account?.passwordHash ?? decoyHash, input.password)
  if (account === null || !isPassword) throw new AppError('credentials_invalid')

  const otpId = ctx.ids.next(OtpId)
  const code = ctx.ids.digits(OTP_LENGTH)
  const createdAt = ctx.clock.now()
  await ctx.db.tx(async (tx) => {
    await insertCode(tx, {
      id: otpId,
      merchantId: account.id,
      purpose: 'signin',
      codeHash: hashCode(ctx, otpId, 'signin', code),
      triesAllowed: TRIES_ALLOWED,
      createdAt,
      expiresAt: plusMs(createdAt, CODE_LIFE_MS),
    })
    await ctx.mailer.send(tx, signInMail(account.email, account.fullname, code))
  })
  return { otpId, message: 'We sent a sign-in code to your email' }
}
