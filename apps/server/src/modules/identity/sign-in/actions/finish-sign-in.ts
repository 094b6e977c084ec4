import type { Tokens } from '@muripo/contract/auth'
import type { MerchantId, OtpId } from '@muripo/contract/ids'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { proveAccount } from '../../accounts/store-proof.ts'
import type { Device } from '../../devices/device-cookie.ts'
import { recordDevice } from '../../devices/record-device.ts'
import { browserName, type Visitor } from '../../devices/visitor.ts'
import { useCode } from '../../one-time-codes/store-codes.ts'
import type { Passkey } from '../../passkeys/store-passkeys.ts'
import { openSession } from '../../sessions/sessions.ts'
import type { RateLimitSubject } from '../../throttles.ts'

interface Attempt {
  readonly otpId: OtpId
  readonly merchantId: MerchantId
  readonly limitSubject: RateLimitSubject
  /** The passkey that replaced the code. */
  readonly passkey?: Passkey
}

export interface SignedIn {
  readonly tokens: Tokens
  readonly device: Device
}

/** Completes a sign-in after both steps: uses up the code, opens the session and records the device. */
export async function finishSignIn(
  ctx: Ctx,
  tx: Tx,
  { otpId, merchantId, limitSubject, passkey }: Attempt,
  visitor: Visitor,
): Promise<SignedIn> {
  // The lock order is account, then code, as in the deletion of unproven accounts.
  await proveAccount(tx, merchantId)
  if (!(await useCode(tx, otpId, ctx.clock.now()))) throw new AppError('otp_expired')
  const device = await recordDevice(ctx, tx, merchantId, visitor, passkey ? 'passkey' : 'code')
  const { sessionId, tokens } = await openSession(ctx, tx, merchantId, visitor)
  await audit(
    ctx,
    tx,
    callerActor({ merchantId, sessionId }, { ip: visitor.address, id: visitor.requestId }),
    {
      action: 'session.opened',
      subject: sessionId,
      accountId: merchantId,
      details: {
        browser: browserName(visitor.userAgent),
        knownDevice: limitSubject !== null,
        ...(passkey ? { passkey: passkey.id } : {}),
      },
    },
  )
  return { tokens, device }
}
