import type { Tokens } from '@muripo/contract/auth'
import { OtpId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import { spendTry, useCode } from '../code-store.ts'
import { isCode } from '../codes.ts'
import { openSession } from '../sessions.ts'

/** Turns the mailed code into a session. */
export async function verifyCode(
  ctx: Ctx,
  input: { otpId: string; purpose: 'signin'; otp: string },
): Promise<Tokens> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw new AppError('otp_expired')

  // The try is spent and committed before the comparison: guesses that arrive together still count one by one.
  const spent = await spendTry(ctx.db.kysely, id, input.purpose, ctx.clock.now())
  if (spent === null) throw new AppError('otp_expired')
  const { merchantId } = spent
  if (merchantId === null || !isCode(ctx, id, input.purpose, input.otp, spent.codeHash))
    throw new AppError('otp_invalid')

  return ctx.db.tx(async (tx) => {
    if (!(await useCode(tx, id, ctx.clock.now()))) throw new AppError('otp_expired')
    return openSession(ctx, tx, merchantId)
  })
}
