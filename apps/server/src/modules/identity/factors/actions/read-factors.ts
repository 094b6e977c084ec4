import type { getFactors } from '@muripo/contract/factors'
import type { Reply } from '@muripo/contract/route'
import type { Ctx } from '../../../../platform/ctx.ts'
import { passkeysOf } from '../../passkeys/store-passkeys.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { countRecoveryCodes, findTotp } from '../store-factors.ts'

export async function readFactors(
  ctx: Ctx,
  { personId, secondFactorDueAt, passkeyDueAt }: SessionCaller,
): Promise<Reply<typeof getFactors>> {
  const q = ctx.db.kysely
  const [totp, recoveryCodesLeft, passkeys] = await Promise.all([
    findTotp(q, personId),
    countRecoveryCodes(q, personId),
    passkeysOf(q, personId),
  ])
  return {
    totp: totp?.enabledAt ? { enabledAt: totp.enabledAt.toISOString() } : null,
    recoveryCodesLeft,
    passkeys: passkeys.length,
    requiredFrom: secondFactorDueAt?.toISOString() ?? null,
    passkeyRequiredFrom: passkeyDueAt?.toISOString() ?? null,
  }
}
