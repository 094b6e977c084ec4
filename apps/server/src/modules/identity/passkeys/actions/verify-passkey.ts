import { OtpId } from '@muripo/contract/ids'
import type { ShownPasskey } from '@muripo/contract/passkeys'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { claimCodeAttempt } from '../../one-time-codes/code-limits.ts'
import { activeSignInCode, spendAttempt } from '../../one-time-codes/store-codes.ts'
import { finishSignIn, type SignedIn } from '../../sign-in/actions/finish-sign-in.ts'
import { recordRefusedAttempt } from '../../sign-in/refused-attempts.ts'
import { consumeChallenge } from '../store-challenges.ts'
import { countUse, passkeyWith } from '../store-passkeys.ts'
import { verifyAssertion } from '../webauthn.ts'

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
  const { merchantId, limitSubject } = code

  // The challenge is consumed before any check, so that a repeated response finds none.
  const challenge = await consumeChallenge(q, { merchantId, purpose: 'signin', id: otpId }, ctx.clock.now())
  if (challenge === null) throw new AppError('passkey_expired')
  // A passkey that is refused counts like a wrong code: there is one allowance for the second step, however it is tried.
  if ((await spendAttempt(q, otpId, 'signin', ctx.clock.now())) === null) throw new AppError('otp_expired')
  const claim = await claimCodeAttempt(
    ctx,
    { purpose: 'signin', account: merchantId, limitSubject },
    visitor.address,
  )

  const passkey = await passkeyWith(q, merchantId, Buffer.from(input.passkey.id, 'base64url'))
  const use = passkey && (await verifyAssertion(ctx.config, challenge, merchantId, passkey, input.passkey))
  const signedIn =
    use &&
    (await ctx.db.tx(async (tx) => {
      if (!(await countUse(tx, merchantId, passkey.id, use, ctx.clock.now()))) return null
      return finishSignIn(ctx, tx, { otpId, merchantId, limitSubject, passkey }, visitor)
    }))
  if (!signedIn) {
    await recordRefusedAttempt(ctx, visitor, {
      action: 'account.passkey_refused',
      merchantId,
      subject: otpId,
    })
    throw new AppError('passkey_refused')
  }
  await claim.succeed()
  return signedIn
}
