import type { Tokens } from '@muripo/contract/auth'
import { OtpId, type PersonId } from '@muripo/contract/ids'
import { callerActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { parseId } from '../../../../platform/ids.ts'
import { hasDevices, isDeviceOf, upsertDevice } from '../../devices/store-devices.ts'
import { browserName, type Device, issuedDevice, occasion, type Visitor } from '../../devices/visitor.ts'
import { newDeviceMail, type SecondStep } from '../../emails.ts'
import { useSecondFactor } from '../../factors/second-factor.ts'
import { type ClaimedAttempt, claimCodeAttempt, compareCode } from '../../one-time-codes/codes.ts'
import { useCode } from '../../one-time-codes/store-codes.ts'
import type { Passkey } from '../../passkeys/store-passkeys.ts'
import { type Account, findAccount, proveAccount } from '../../persons/store-persons.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import { openSession } from '../../sessions/sessions.ts'
import type { RateLimitSubject } from '../../throttles.ts'

/** The second step of a sign-in: opens a session with the mailed code, or that of an authenticator app, and records the device. */
export async function verifyCode(
  ctx: Ctx,
  { otpId, purpose, otp }: { otpId: string; purpose: 'signin'; otp: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const id = parseId(OtpId, otpId)
  const claim = id && (await claimCodeAttempt(ctx, { id, purpose }, visitor.address))
  if (!claim) throw new AppError('otp_expired')
  if (claim.code.hasTotp) return verifySecondFactor(ctx, claim, { otpId: id, code: otp }, visitor)
  const owner = await compareCode(ctx, claim, { id, purpose, code: otp }, visitor)
  return ctx.db.tx((tx) => completeSignIn(ctx, tx, { otpId: id, ...owner }, visitor))
}

/** Completes a sign-in with a code of the authenticator app, which is used up with it, or with a recovery code. */
async function verifySecondFactor(
  ctx: Ctx,
  { code: { personId, limitSubject }, succeed }: ClaimedAttempt,
  { otpId, code }: { readonly otpId: OtpId; readonly code: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const signedIn =
    personId &&
    (await ctx.db.tx(async (tx) => {
      if (!(await useSecondFactor(ctx, tx, personId, code, visitor))) return null
      return completeSignIn(ctx, tx, { otpId, personId, limitSubject, totp: true }, visitor)
    }))
  if (!signedIn) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', personId, subject: otpId })
    throw new AppError('otp_invalid')
  }
  await succeed()
  return signedIn
}

interface ConfirmedSignIn {
  readonly otpId: OtpId
  readonly personId: PersonId
  readonly limitSubject: RateLimitSubject
  /** The passkey that replaced the code. */
  readonly passkey?: Passkey
  /** A code of the authenticator app or a recovery code replaced the mailed one. */
  readonly totp?: true
}

export interface SignedIn {
  readonly tokens: Tokens
  readonly device: Device
}

/** Completes a sign-in after both steps: uses up the code, opens the session and records the device. */
export async function completeSignIn(
  ctx: Ctx,
  tx: Tx,
  { otpId, personId, limitSubject, passkey, totp }: ConfirmedSignIn,
  visitor: Visitor,
): Promise<SignedIn> {
  // The lock order is account, then code, as in the deletion of unproven accounts.
  await proveAccount(tx, personId)
  if (!(await useCode(tx, otpId, ctx.clock.now()))) throw new AppError('otp_expired')
  const account = await findAccount(tx, personId)
  const device = await recordDevice(ctx, tx, account, visitor, passkey ? 'passkey' : totp ? 'totp' : 'code')
  const { merchantId } = account
  const { sessionId, tokens } = await openSession(ctx, tx, account, visitor)
  await audit(
    ctx,
    tx,
    callerActor({ merchantId, personId, sessionId }, { ip: visitor.address, id: visitor.requestId }),
    {
      action: 'session.opened',
      subject: sessionId,
      accountId: merchantId,
      details: {
        browser: browserName(visitor.userAgent),
        knownDevice: limitSubject !== null,
        ...(passkey ? { passkey: passkey.id } : {}),
        ...(totp ? { totp } : {}),
      },
    },
  )
  return { tokens, device }
}

/** Records the browser as a device of the account. The owner is notified of each new device except the first. */
async function recordDevice(
  ctx: Ctx,
  tx: Tx,
  account: Account,
  visitor: Visitor,
  step: SecondStep,
): Promise<Device> {
  const now = ctx.clock.now()
  const { personId, timeZone, locale } = account
  const isNew = !(await isDeviceOf(tx, personId, visitor.device?.hash ?? null))
  const isFirst = isNew && !(await hasDevices(tx, personId))
  const device = await issuedDevice(ctx, tx, visitor)
  await upsertDevice(tx, personId, device.hash, now)
  if (isNew && !isFirst) {
    await ctx.mailer.send(tx, newDeviceMail(account, occasion(visitor, now, timeZone, locale), step))
  }
  return device
}
