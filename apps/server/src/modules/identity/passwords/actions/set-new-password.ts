import { OtpId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import type { Device, Visitor } from '../../devices/visitor.ts'
import { checkCode } from '../../one-time-codes/codes.ts'
import { restoreAttempt, useCode } from '../../one-time-codes/store-codes.ts'
import { refuseCommonPassword } from '../password-rules.ts'
import { type ResetProof, replacePassword } from './reset-password.ts'

/** Sets a new password with the mailed code and ends all sessions and codes of the old one. It opens no session. */
export async function setNewPassword(
  ctx: Ctx,
  input: { otpId: string; otp: string; newPassword: string },
  visitor: Visitor,
): Promise<{ message: string; device: Device }> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw expired()
  await refuseCommonPassword('newPassword', input.newPassword)

  const code = await checkCode(ctx, { id, purpose: 'password_reset', code: input.otp }, visitor)
  if (code === null) throw expired()

  const proof: ResetProof = {
    otpId: id,
    personId: code.personId,
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
