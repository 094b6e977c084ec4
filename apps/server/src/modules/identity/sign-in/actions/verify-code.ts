import { OtpId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { claimCodeAttempt } from '../../one-time-codes/code-limits.ts'
import { isCode } from '../../one-time-codes/codes.ts'
import { spendAttempt } from '../../one-time-codes/store-codes.ts'
import { recordRefusedAttempt } from '../refused-attempts.ts'
import { finishSignIn, type SignedIn } from './finish-sign-in.ts'

/** Opens a session with the mailed code and records the device. */
export async function verifyCode(
  ctx: Ctx,
  input: { otpId: string; purpose: 'signin'; otp: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw new AppError('otp_expired')

  // The attempt is spent and committed before the comparison, so that concurrent guesses count one by one.
  const spent = await spendAttempt(ctx.db.kysely, id, input.purpose, ctx.clock.now())
  if (spent === null || spent.merchantId === null) throw new AppError('otp_expired')
  const { merchantId, limitSubject } = spent
  const claim = await claimCodeAttempt(
    ctx,
    { purpose: 'signin', account: merchantId, limitSubject },
    visitor.address,
  )
  if (!isCode(ctx, id, input.purpose, input.otp, spent.codeHash)) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', merchantId, subject: id })
    throw new AppError('otp_invalid')
  }
  await claim.succeed()

  return ctx.db.tx((tx) => finishSignIn(ctx, tx, { otpId: id, merchantId, limitSubject }, visitor))
}
