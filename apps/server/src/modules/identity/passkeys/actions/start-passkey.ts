import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { MakeOptions } from '@muripo/contract/passkeys'
import { reasonOf } from '@muripo/locales/errors'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidFieldFor } from '../../../../platform/errors.ts'
import { findAccount } from '../../accounts/store-accounts.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { confirmPassword } from '../../passwords/password-attempts.ts'
import type { TokenSubject } from '../../sessions/tokens.ts'
import { newChallenge } from '../challenges.ts'
import { passkeysOf } from '../store-passkeys.ts'
import { creationOptions } from '../webauthn.ts'

/** The password permits one new passkey, for a few minutes and for this session. */
export async function startPasskey(
  ctx: Ctx,
  { merchantId, sessionId }: TokenSubject,
  password: string,
  visitor: Visitor,
): Promise<MakeOptions> {
  const account = await findAccount(ctx.db.kysely, merchantId)
  if (!(await confirmPassword(ctx, account, password, visitor)))
    throw invalidFieldFor('password', reasonOf('passwordNotCorrect'))
  const existing = await passkeysOf(ctx.db.kysely, merchantId)
  if (existing.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
  const challenge = await ctx.db.tx((tx) =>
    newChallenge(ctx, { merchantId, purpose: 'add', id: sessionId }, tx),
  )
  return creationOptions(ctx.config, challenge, account, existing)
}
