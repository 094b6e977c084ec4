import { OtpId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import type { Device } from '../../devices/device-cookie.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { claimCodeAttempt } from '../../one-time-codes/code-limits.ts'
import { isCode } from '../../one-time-codes/codes.ts'
import { restoreAttempt, spendAttempt, useCode } from '../../one-time-codes/store-codes.ts'
import { recordRefusedAttempt } from '../../sign-in/refused-attempts.ts'
import { refuseCommonPassword } from '../password-rules.ts'
import { type ResetProof, replacePassword } from './replace-password.ts'

/** Sets a new password with the mailed code and ends all sessions and codes of the old one. It opens no session. */
export async function setNewPassword(
  ctx: Ctx,
  input: { otpId: string; otp: string; newPassword: string },
  visitor: Visitor,
): Promise<{ message: string; device: Device }> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw expired()
  await refuseCommonPassword('newPassword', input.newPassword)

  // The attempt is spent and committed before the comparison, so that concurrent guesses count one by one.
  const spent = await spendAttempt(ctx.db.kysely, id, 'password_reset', ctx.clock.now())
  if (spent === null) throw expired()
  // The count belongs to the typed email, so that an email without an account has the same number of attempts.
  const account = spent.requestedFor?.toString('hex') ?? id
  const claim = await claimCodeAttempt(
    ctx,
    { purpose: 'password_reset', account, limitSubject: spent.limitSubject },
    visitor.address,
  )
  const isRight = isCode(ctx, id, 'password_reset', input.otp, spent.codeHash)
  const { merchantId } = spent
  if (merchantId === null || !isRight) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', merchantId, subject: id })
    throw new AppError('otp_invalid')
  }
  await claim.succeed()

  const proof: ResetProof = {
    otpId: id,
    merchantId,
    step: 'code',
    use: (tx) => useCode(tx, id, ctx.clock.now()),
    expired,
  }
  const device = await replacePassword(ctx, proof, input.newPassword, visitor).catch(
    async (error: unknown) => {
      // The code was correct, and the caller can use it again with another password or when the server has less load.
      await restoreAttempt(ctx.db.kysely, id)
      throw error
    },
  )
  return { message: 'Password updated. Please sign in.', device }
}

const expired = () => new AppError('otp_expired', { reason: reasonOf('resetCodeExpired') })
