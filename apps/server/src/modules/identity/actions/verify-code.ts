import type { Tokens } from '@muripo/contract/auth'
import { OtpId } from '@muripo/contract/ids'
import { merchantActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import { browserName } from '../browser-name.ts'
import { spendTry, useCode } from '../code-store.ts'
import { claimCodeTry } from '../code-tries.ts'
import { isCode } from '../codes.ts'
import type { Device } from '../device-cookie.ts'
import { noteRefusedTry } from '../refused-try.ts'
import { openSession } from '../sessions.ts'
import type { Visitor } from '../visitor.ts'
import { welcomeDevice } from '../welcome-device.ts'

/** Turns the mailed code into a session, and the browser into a known device. */
export async function verifyCode(
  ctx: Ctx,
  input: { otpId: string; purpose: 'signin'; otp: string },
  visitor: Visitor,
): Promise<{ tokens: Tokens; device: Device }> {
  const id = parseId(OtpId, input.otpId)
  if (id === null) throw new AppError('otp_expired')

  // The try is spent and committed before the comparison: guesses that arrive together still count one by one.
  const spent = await spendTry(ctx.db.kysely, id, input.purpose, ctx.clock.now())
  if (spent === null || spent.merchantId === null) throw new AppError('otp_expired')
  const { merchantId, party } = spent
  const claim = await claimCodeTry(ctx, { purpose: 'signin', account: merchantId, party }, visitor.address)
  if (!isCode(ctx, id, input.purpose, input.otp, spent.codeHash)) {
    await noteRefusedTry(ctx, visitor, { action: 'account.code_refused', merchantId, subject: id })
    throw new AppError('otp_invalid')
  }
  await claim.succeed()

  return ctx.db.tx(async (tx) => {
    if (!(await useCode(tx, id, ctx.clock.now()))) throw new AppError('otp_expired')
    const device = await welcomeDevice(ctx, tx, merchantId, visitor)
    const { sessionId, tokens } = await openSession(ctx, tx, merchantId, visitor)
    await audit(ctx, tx, merchantActor(merchantId, { ip: visitor.address, id: visitor.requestId }), {
      action: 'session.opened',
      subject: sessionId,
      merchantId,
      details: { browser: browserName(visitor.userAgent), knownDevice: party !== null },
    })
    return { tokens, device }
  })
}
