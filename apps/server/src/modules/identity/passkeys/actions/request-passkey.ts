import { OtpId } from '@muripo/contract/ids'
import type { PasskeyRequestOptions } from '@muripo/contract/passkeys'
import { reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import { activeSignInCode } from '../../one-time-codes/store-codes.ts'
import { newChallenge } from '../challenges.ts'
import { passkeysOf } from '../store-passkeys.ts'
import { requestOptions } from '../webauthn.ts'

/** Returns the passkeys that can replace a code. A caller with the id of a sign-in code has given the password. */
export async function requestPasskey(ctx: Ctx, otpId: string): Promise<PasskeyRequestOptions> {
  const id = parseId(OtpId, otpId)
  const code = id && (await activeSignInCode(ctx.db.kysely, id, ctx.clock.now()))
  if (!code) throw new AppError('otp_expired')
  const { merchantId } = code
  const passkeys = await passkeysOf(ctx.db.kysely, merchantId)
  if (passkeys.length === 0) throw new AppError('not_found', { reason: reasonOf('noPasskey') })
  const challenge = await newChallenge(ctx, { merchantId, purpose: 'signin', id })
  return requestOptions(ctx.config, challenge, passkeys)
}
