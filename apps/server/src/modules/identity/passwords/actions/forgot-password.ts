import { OtpId } from '@muripo/contract/ids'
import { plusMs } from '../../../../platform/clock.ts'
import { hmac } from '../../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { attemptsAllowed, CODE_LIFE_MS, hashCode } from '../../one-time-codes/codes.ts'
import { insertCode } from '../../one-time-codes/store-codes.ts'
import { canonicalEmail } from '../../persons/store-persons.ts'
import { enqueueResetCode } from './send-reset-code.ts'

/** Longer than any code that a caller can send, so that nothing verifies it. */
const NO_CODE_DIGITS = 32

/**
 * Returns an id without a look-up of the email. A job does the look-up after the response, so that text and time of the response are the
 * same for every email.
 */
export async function forgotPassword(
  ctx: Ctx,
  email: string,
  visitor: Visitor,
): Promise<{ message: string; otpId: OtpId }> {
  const otpId = ctx.ids.next(OtpId)
  const createdAt = ctx.clock.now()
  await ctx.db.tx(async (tx) => {
    await insertCode(tx, {
      id: otpId,
      personId: null,
      purpose: 'password_reset',
      requestedFor: hmac(ctx.keys.limitKey, `reset of ${await canonicalEmail(tx, email)}`),
      limitSubject: null,
      codeHash: hashCode(ctx, otpId, 'password_reset', ctx.ids.digits(NO_CODE_DIGITS)),
      attemptsAllowed: attemptsAllowed.password_reset,
      createdAt,
      expiresAt: plusMs(createdAt, CODE_LIFE_MS),
    })
    const { device, ...requester } = visitor
    await enqueueResetCode(ctx, tx, {
      otpId,
      email,
      device: device?.hash.toString('hex') ?? null,
      ...requester,
      at: createdAt.toISOString(),
    })
  })
  return { message: 'If an account has this email, we sent a code to it', otpId }
}
