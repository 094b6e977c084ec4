import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { recognisedDevice, type Visitor } from '../../devices/visitor.ts'
import { claimSecondStep } from '../../one-time-codes/codes.ts'
import { requirePassword } from '../../passwords/password-attempts.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { STEP_UP_MS } from '../../sessions/sessions.ts'
import { recordAuthentication } from '../../sessions/store-sessions.ts'
import { useSecondFactor } from '../second-factor.ts'

type Proof = { readonly password?: string | undefined; readonly code?: string | undefined }

/**
 * Records that the person of a session entered the password or a code again. A wrong one counts with those of sign-ins.
 * @returns the time until which the session may make calls that move money or trust
 * @throws AppError validation_failed, otp_invalid, rate_limited
 */
export async function stepUp(
  ctx: Ctx,
  caller: SessionCaller,
  { password, code }: Proof,
  visitor: Visitor,
): Promise<Date> {
  const { merchantId, personId, sessionId } = caller
  if (password !== undefined) await requirePassword(ctx, personId, password, visitor)
  const device = await recognisedDevice(ctx.db.kysely, personId, visitor)
  const claim =
    code === undefined ? null : await claimSecondStep(ctx, 'signin', personId, device, visitor.address)
  const now = ctx.clock.now()
  const isConfirmed = await ctx.db.tx(async (tx) => {
    if (code !== undefined && !(await useSecondFactor(ctx, tx, personId, code, visitor))) return false
    await recordAuthentication(tx, caller, now)
    await audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
      action: 'session.confirmed',
      subject: sessionId,
      accountId: merchantId,
      details: { by: code === undefined ? 'password' : 'code' },
    })
    return true
  })
  if (!isConfirmed) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', personId, subject: sessionId })
    throw new AppError('otp_invalid')
  }
  await claim?.release()
  return plusMs(now, STEP_UP_MS)
}
