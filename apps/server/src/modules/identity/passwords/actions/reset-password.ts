import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Device } from '../../devices/device-cookie.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { hashLink } from '../../one-time-codes/codes.ts'
import { findResetLink, useResetLink } from '../../one-time-codes/store-codes.ts'
import { refuseCommonPassword } from '../password-rules.ts'
import { replacePassword } from './replace-password.ts'

/**
 * Sets a new password with the mailed link. The token has 256 random bits: there is nothing to guess, so no attempt is counted and no
 * unrecognised device can use up the attempts of the owner. A password that is refused does not end the link.
 */
export async function resetPassword(
  ctx: Ctx,
  input: { token: string; newPassword: string },
  visitor: Visitor,
): Promise<{ message: string; device: Device }> {
  await refuseCommonPassword('newPassword', input.newPassword)
  const found = await findResetLink(ctx.db.kysely, hashLink(ctx, input.token))
  if (found === null) throw expired()
  const { otpId } = found
  const proof = { ...found, step: 'link', use: (tx: Tx) => useResetLink(tx, otpId), expired } as const
  const device = await replacePassword(ctx, proof, input.newPassword, visitor)
  return { message: 'Password updated. Please sign in.', device }
}

const expired = () => new AppError('reset_link_expired')
