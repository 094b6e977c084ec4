import { isRecoveryCode } from '@muripo/contract/fields'
import type { PersonId } from '@muripo/contract/ids'
import { visitorActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { browserName, occasion, type Visitor } from '../devices/visitor.ts'
import { recoveryCodeUsedMail } from '../emails.ts'
import { findAccount } from '../persons/store-persons.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { countRecoveryCodes, findTotp, recordStep, useRecoveryCodeHash } from './store-factors.ts'
import { decryptTotpSecret, stepOfCode } from './totp.ts'

/** Uses a code of the authenticator app, or a recovery code in its place: each is accepted once. False for any other code. */
export async function useSecondFactor(
  ctx: Ctx,
  tx: Tx,
  personId: PersonId,
  code: string,
  visitor: Visitor,
): Promise<boolean> {
  if (isRecoveryCode(code)) return useRecoveryCode(ctx, tx, personId, code, visitor)
  const totp = await findTotp(tx, personId)
  if (totp === null) return false
  const secret = decryptTotpSecret(ctx.keys, personId, totp.secret)
  const step = stepOfCode(secret, code, ctx.clock.now())
  return step !== null && recordStep(tx, personId, step)
}

async function useRecoveryCode(
  ctx: Ctx,
  tx: Tx,
  personId: PersonId,
  code: string,
  visitor: Visitor,
): Promise<boolean> {
  const now = ctx.clock.now()
  if (!(await useRecoveryCodeHash(tx, personId, hashRecoveryCode(ctx, personId, code), now))) return false
  const account = await findAccount(tx, personId)
  const left = await countRecoveryCodes(tx, personId)
  await audit(ctx, tx, visitorActor(visitor), {
    action: 'account.recovery_code_used',
    subject: personId,
    accountId: account.merchantId,
    details: { browser: browserName(visitor.userAgent), left },
  })
  const at = occasion(visitor, now, account.timeZone, account.locale)
  await ctx.mailer.send(tx, recoveryCodeUsedMail(account, left, at))
  return true
}
