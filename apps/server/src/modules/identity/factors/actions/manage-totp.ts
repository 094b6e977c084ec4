import { callerActor } from '../../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { drawQr } from '../../../../platform/qr.ts'
import { browserName, occasion, recognisedDevice, type Visitor } from '../../devices/visitor.ts'
import { totpAddedMail, totpRemovedMail } from '../../emails.ts'
import { claimSecondStep } from '../../one-time-codes/codes.ts'
import { requirePassword } from '../../passwords/password-attempts.ts'
import { lockAccount } from '../../persons/store-persons.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import type { SessionCaller } from '../../sessions/session-auth.ts'
import { MINUTE_MS } from '../../throttles.ts'
import { hashRecoveryCode, newRecoveryCodes, shownRecoveryCode } from '../recovery-codes.ts'
import {
  deleteTotp,
  findTotp,
  replaceRecoveryCodeHashes,
  updateToEnabled,
  upsertTotp,
} from '../store-factors.ts'
import { decryptTotpSecret, encryptTotpSecret, newTotpSecret, shownTotp, stepOfCode } from '../totp.ts'

/** The first code is entered within this time after the secret was shown. */
const ENROLMENT_MS = 15 * MINUTE_MS

/**
 * Starts to add an authenticator app. Sign-ins do not change until a code of the app shows that the person has the secret.
 * @throws AppError totp_enabled, validation_failed
 */
export async function startTotp(ctx: Ctx, { personId }: SessionCaller, password: string, visitor: Visitor) {
  const { email } = await requirePassword(ctx, personId, password, visitor)
  const secret = newTotpSecret(ctx.ids)
  const encrypted = encryptTotpSecret(ctx.keys, personId, secret)
  await ctx.db.tx(async (tx) => {
    if (!(await upsertTotp(tx, personId, encrypted, ctx.clock.now()))) throw new AppError('totp_enabled')
  })
  const shown = shownTotp(secret, email)
  return { ...shown, qr: drawQr(shown.uri) }
}

/**
 * Enables the app with one of its codes, which no sign-in accepts afterwards. A wrong one counts with those of sign-ins.
 * @returns the recovery codes, of which only hashes are stored
 * @throws AppError totp_enabled, totp_expired, otp_invalid, rate_limited
 */
export async function enableTotp(
  ctx: Ctx,
  caller: SessionCaller,
  code: string,
  visitor: Visitor,
): Promise<string[]> {
  const { personId } = caller
  const totp = await findTotp(ctx.db.kysely, personId)
  const now = ctx.clock.now()
  if (totp?.enabledAt) throw new AppError('totp_enabled')
  if (totp === null || now >= plusMs(totp.startedAt, ENROLMENT_MS)) throw new AppError('totp_expired')
  // A guessed code would make recovery codes for a stolen session.
  const device = await recognisedDevice(ctx.db.kysely, personId, visitor)
  const claim = await claimSecondStep(ctx, 'signin', personId, device, visitor.address)
  const step = stepOfCode(decryptTotpSecret(ctx.keys, personId, totp.secret), code, now)
  if (step === null) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', personId, subject: null })
    throw new AppError('otp_invalid')
  }
  await claim.release()
  return ctx.db.tx(async (tx) => {
    const account = await lockAccount(tx, personId)
    if (!(await updateToEnabled(tx, personId, { secret: totp.secret, step }, now)))
      throw new AppError('totp_expired')
    const codes = await makeRecoveryCodes(ctx, tx, caller)
    await auditFactor(ctx, tx, caller, visitor, 'account.totp_enabled')
    await ctx.mailer.send(
      tx,
      totpAddedMail(account, occasion(visitor, now, account.timeZone, account.locale)),
    )
    return codes
  })
}

/** @throws AppError not_found, validation_failed */
export async function removeTotp(
  ctx: Ctx,
  caller: SessionCaller,
  password: string,
  visitor: Visitor,
): Promise<void> {
  const { personId } = caller
  const account = await requirePassword(ctx, personId, password, visitor)
  const isRemoved = await ctx.db.tx(async (tx) => {
    if (!(await deleteTotp(tx, personId))) return false
    await auditFactor(ctx, tx, caller, visitor, 'account.totp_removed')
    const at = occasion(visitor, ctx.clock.now(), account.timeZone, account.locale)
    await ctx.mailer.send(tx, totpRemovedMail(account, at))
    return true
  })
  if (!isRemoved) throw new AppError('not_found')
}

/** @throws AppError not_found, validation_failed */
export async function replaceRecoveryCodes(
  ctx: Ctx,
  caller: SessionCaller,
  password: string,
  visitor: Visitor,
): Promise<string[]> {
  const { personId } = caller
  await requirePassword(ctx, personId, password, visitor)
  const replaced = await ctx.db.tx(async (tx) => {
    // No other transaction replaces the codes under this lock.
    await lockAccount(tx, personId)
    const totp = await findTotp(tx, personId)
    if (!totp?.enabledAt) return null
    const codes = await makeRecoveryCodes(ctx, tx, caller)
    await auditFactor(ctx, tx, caller, visitor, 'account.recovery_codes_replaced')
    return codes
  })
  if (replaced === null) throw new AppError('not_found')
  return replaced
}

async function makeRecoveryCodes(ctx: Ctx, tx: Tx, { personId }: SessionCaller): Promise<string[]> {
  const codes = newRecoveryCodes(ctx.ids)
  await replaceRecoveryCodeHashes(
    tx,
    personId,
    codes.map((code) => hashRecoveryCode(ctx, personId, code)),
  )
  return codes.map(shownRecoveryCode)
}

/** Records a change of the person's own factors. */
const auditFactor = (
  ctx: Ctx,
  tx: Tx,
  caller: SessionCaller,
  visitor: Visitor,
  action: Action,
): Promise<void> =>
  audit(ctx, tx, callerActor(caller, { ip: visitor.address, id: visitor.requestId }), {
    action,
    subject: caller.personId,
    accountId: caller.merchantId,
    details: { browser: browserName(visitor.userAgent) },
  })
