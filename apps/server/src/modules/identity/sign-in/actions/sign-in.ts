import type { signIn as route } from '@muripo/contract/auth'
import type { Body, Reply } from '@muripo/contract/route'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { findSignInAccount, lockAccountOrNull, updatePassword } from '../../accounts/store-accounts.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { countCodeByAddress, refuseTooManyCodes } from '../../one-time-codes/code-limits.ts'
import { attemptPassword } from '../../passwords/password-attempts.ts'
import { rehashIfOutdated } from '../../passwords/passwords.ts'
import { recordRefusedAttempt } from '../refused-attempts.ts'
import { issueSignInCode } from './issue-sign-in-code.ts'

/**
 * The first step. An unknown email and a wrong password take the same steps and the same time and get the same answer, and so does a wait.
 */
export async function signIn(
  ctx: Ctx,
  input: Body<typeof route>,
  visitor: Visitor,
): Promise<Reply<typeof route>> {
  const device = visitor.device?.hash ?? null
  const { canonicalEmail, account, ...known } = await findSignInAccount(ctx.db.kysely, input.email, device)
  const limitSubject = known.isRecognised ? device : null

  const claimed = { email: canonicalEmail, passwordHash: account?.passwordHash ?? null, limitSubject }
  const isRight = await attemptPassword(ctx, claimed, input.password, visitor.address)
  if (account === null || !isRight) {
    const merchantId = account?.id ?? null
    const subject = merchantId ?? 'nobody'
    await recordRefusedAttempt(ctx, visitor, { action: 'account.password_refused', merchantId, subject })
    throw new AppError('credentials_invalid')
  }

  const newHash = await rehashIfOutdated(ctx, account.passwordHash, input.password)
  if (limitSubject === null) await countCodeByAddress(ctx, ctx.db.kysely, visitor.address)
  const otpId = await ctx.db.tx(async (tx) => {
    const locked = await lockAccountOrNull(tx, account.id)
    // A concurrent call may have set a new password or deleted the account.
    if (locked?.passwordHash !== account.passwordHash) throw new AppError('credentials_invalid')
    await refuseTooManyCodes(ctx, tx, { merchantId: account.id, purpose: 'signin', limitSubject })
    if (newHash !== null) await updatePassword(tx, account.id, newHash)
    return issueSignInCode(ctx, tx, locked, {
      limitSubject,
      visitor,
      isNewDevice: limitSubject === null && known.hasDevices,
    })
  })
  const passkey = known.hasPasskey ? { passkey: true as const } : {}
  return { otpId, message: 'We sent a sign-in code to your email', ...passkey }
}
