import { OtpId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import { hasDevices } from '../../devices/store-devices.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { findTotp } from '../../factors/store-factors.ts'
import { countCodeByAddress, refuseEarlyResend } from '../../one-time-codes/codes.ts'
import { activeSignInCode, endCode } from '../../one-time-codes/store-codes.ts'
import { lockAccountOrNull } from '../../persons/store-persons.ts'
import { ENTER_TOTP, issueSignInCode } from './sign-in.ts'

/** Mails another sign-in code and ends the old one, so that there is one code to guess. */
export async function resendCode(
  ctx: Ctx,
  otpId: string,
  visitor: Visitor,
): Promise<{ message: string; otpId: OtpId }> {
  const id = parseId(OtpId, otpId)
  if (id === null) throw new AppError('otp_expired')

  return ctx.db.tx(async (tx) => {
    // A call that will be refused does not queue at the merchant's row; the checks are repeated under its lock.
    const code = await activeSignInCode(tx, id, ctx.clock.now())
    if (code === null) throw new AppError('otp_expired')
    const { personId, limitSubject } = code
    const request = { personId, limitSubject, purpose: 'signin' } as const
    await refuseEarlyResend(ctx, tx, request).catch(async (tooSoon: unknown) => {
      // The code that causes the refusal may have replaced this one a moment ago; then this one has expired.
      const stillGood = await activeSignInCode(tx, id, ctx.clock.now())
      throw stillGood === null ? new AppError('otp_expired') : tooSoon
    })

    const account = await lockAccountOrNull(tx, personId)
    if (account === null || !(await endCode(tx, id, ctx.clock.now()))) throw new AppError('otp_expired')
    await refuseEarlyResend(ctx, tx, request)
    if (limitSubject === null) await countCodeByAddress(ctx, tx, visitor.address)
    const isNewDevice = limitSubject === null && (await hasDevices(tx, personId))
    const hasTotp = (await findTotp(tx, personId))?.enabledAt != null
    const requester = { limitSubject, visitor, isNewDevice, hasTotp, resendOf: id }
    const otpId = await issueSignInCode(ctx, tx, account, requester)
    return { message: hasTotp ? ENTER_TOTP : 'We sent a new sign-in code to your email', otpId }
  })
}
