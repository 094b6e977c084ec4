import { OtpId } from '@muripo/contract/ids'
import type { PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { claimCodeAttempt } from '../../one-time-codes/codes.ts'
import { activeSignInCode } from '../../one-time-codes/store-codes.ts'
import { consumeChallenge, newChallenge } from '../../passkeys/store-challenges.ts'
import { passkeysOf, passkeyWith, recordPasskeyUse } from '../../passkeys/store-passkeys.ts'
import { requestOptions, verifyAssertion } from '../../passkeys/webauthn.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import { completeSignIn, type SignedIn } from './verify-code.ts'

/** Returns the passkeys that can replace a code. A caller with the id of a sign-in code has given the password. */
export async function requestPasskey(ctx: Ctx, otpId: string): Promise<PasskeyRequestOptions> {
  const id = parseId(OtpId, otpId)
  const code = id && (await activeSignInCode(ctx.db.kysely, id, ctx.clock.now()))
  if (!code) throw new AppError('otp_expired')
  const { personId } = code
  const passkeys = await passkeysOf(ctx.db.kysely, personId)
  if (passkeys.length === 0) throw new AppError('not_found', { reason: reasonOf('noPasskey') })
  const challenge = await newChallenge(ctx, { personId, purpose: 'signin', id })
  return requestOptions(ctx.config, challenge, passkeys)
}

/** Opens a session with a passkey in place of the mailed code, which is used up with it. */
export async function verifyPasskey(
  ctx: Ctx,
  input: { otpId: string; passkey: ShownPasskey },
  visitor: Visitor,
): Promise<SignedIn> {
  const q = ctx.db.kysely
  const otpId = parseId(OtpId, input.otpId)
  const code = otpId && (await activeSignInCode(q, otpId, ctx.clock.now()))
  if (!code) throw new AppError('otp_expired')
  const { personId, limitSubject } = code

  // The challenge is consumed before any check, so that a repeated response finds none.
  const challenge = await consumeChallenge(q, { personId, purpose: 'signin', id: otpId }, ctx.clock.now())
  if (challenge === null) throw new AppError('passkey_expired')
  // A refused passkey counts like a wrong code: both ways of the second step share their limits.
  const claim = await claimCodeAttempt(ctx, { id: otpId, purpose: 'signin' }, visitor.address)
  if (claim === null) throw new AppError('otp_expired')

  const passkey = await passkeyWith(q, personId, Buffer.from(input.passkey.id, 'base64url'))
  const use = passkey && (await verifyAssertion(ctx.config, challenge, personId, passkey, input.passkey))
  const signedIn =
    use &&
    (await ctx.db.tx(async (tx) => {
      if (!(await recordPasskeyUse(tx, personId, passkey.id, { ...use, at: ctx.clock.now() }))) return null
      return completeSignIn(ctx, tx, { otpId, personId, limitSubject, passkey }, visitor)
    }))
  if (!signedIn) {
    await recordRefusedAttempt(ctx, visitor, {
      action: 'account.passkey_refused',
      personId,
      subject: otpId,
    })
    throw new AppError('passkey_refused')
  }
  await claim.succeed()
  return signedIn
}
