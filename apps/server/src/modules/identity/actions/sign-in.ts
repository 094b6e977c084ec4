import type { signIn as route } from '@muripo/contract/auth'
import type { OtpId } from '@muripo/contract/ids'
import type { Body } from '@muripo/contract/route'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { issueSignInCode } from '../issue-sign-in-code.ts'
import { decoyHash, verifyPassword } from '../passwords.ts'
import { accountByEmail, keepsPassword } from '../store.ts'

export async function signIn(
  ctx: Ctx,
  input: Body<typeof route>,
): Promise<{ otpId: OtpId; message: string }> {
  const account = await accountByEmail(ctx.db.kysely, input.email)
  const isPassword = await verifyPassword(ctx, account?.passwordHash ?? decoyHash, input.password)
  if (account === null || !isPassword) throw new AppError('credentials_invalid')

  const otpId = await ctx.db.tx(async (tx) => {
    // A new password may have been set while the old one was being checked.
    if (!(await keepsPassword(tx, account))) throw new AppError('credentials_invalid')
    return issueSignInCode(ctx, tx, account)
  })
  return { otpId, message: 'We sent a sign-in code to your email' }
}
