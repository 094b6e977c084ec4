import type { signIn as route } from '@muripo/contract/auth'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { OtpId } from '@muripo/contract/ids'
import type { Body, Reply } from '@muripo/contract/route'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { occasion, type Visitor } from '../../devices/visitor.ts'
import { signInMail } from '../../emails.ts'
import {
  attemptsAllowed,
  CODE_LIFE_MS,
  countCodeByAddress,
  hashCode,
  refuseTooManyCodes,
} from '../../one-time-codes/codes.ts'
import { insertCode } from '../../one-time-codes/store-codes.ts'
import { rehashIfOutdated } from '../../passwords/hashing.ts'
import { attemptPassword } from '../../passwords/password-attempts.ts'
import {
  type Account,
  findSignInAccount,
  lockAccountOrNull,
  updatePassword,
} from '../../persons/store-persons.ts'
import { recordRefusedAttempt } from '../../refused-attempts.ts'
import type { RateLimitSubject } from '../../throttles.ts'

/**
 * The first step of a sign-in: checks the password and mails a code. An unknown email, a wrong password and a lockout take the same steps
 * and have the same response, so that none reveals which accounts exist. Four limits apply, in this order: calls of the address (the
 * route), attempts at the password, codes that unrecognised devices of the address requested, and unused codes of the account.
 */
export async function signIn(
  ctx: Ctx,
  input: Body<typeof route>,
  visitor: Visitor,
): Promise<Reply<typeof route>> {
  const device = visitor.device?.hash ?? null
  const { canonicalEmail, account, ...known } = await findSignInAccount(ctx.db.kysely, input.email, device)
  const limitSubject = known.isRecognised ? device : null

  const claimed = { email: canonicalEmail, passwordHash: account?.passwordHash ?? null, limitSubject }
  const isRight = await attemptPassword(ctx, claimed, input.password, visitor.address)
  if (account === null || !isRight) {
    const personId = account?.personId ?? null
    await recordRefusedAttempt(ctx, visitor, { action: 'account.password_refused', personId, subject: null })
    throw new AppError('credentials_invalid')
  }

  const newHash = await rehashIfOutdated(ctx, account.passwordHash, input.password)
  if (limitSubject === null) await countCodeByAddress(ctx, ctx.db.kysely, visitor.address)
  const otpId = await ctx.db.tx(async (tx) => {
    const locked = await lockAccountOrNull(tx, account.personId)
    // A concurrent call may have set a new password or deleted the account.
    if (locked?.passwordHash !== account.passwordHash) throw new AppError('credentials_invalid')
    await refuseTooManyCodes(ctx, tx, { personId: account.personId, purpose: 'signin', limitSubject })
    if (newHash !== null) await updatePassword(tx, account.personId, newHash)
    return issueSignInCode(ctx, tx, locked, {
      limitSubject,
      visitor,
      isNewDevice: limitSubject === null && known.hasDevices,
      hasTotp: known.hasTotp,
    })
  })
  return {
    otpId,
    message: known.hasTotp ? ENTER_TOTP : 'We sent a sign-in code to your email',
    ...(known.hasPasskey && { passkey: true as const }),
    ...(known.hasTotp && { totp: true as const }),
  }
}

export const ENTER_TOTP = 'Enter the code of your authenticator app'

interface Requester {
  readonly limitSubject: RateLimitSubject
  readonly visitor: Visitor
  /** The account has recognised devices, and the requesting device is none of them. */
  readonly isNewDevice: boolean
  /** A code of the authenticator app is entered in place of the mailed one, so that none is mailed. */
  readonly hasTotp: boolean
  /** The code that the new one replaces. */
  readonly resendOf?: OtpId
}

/** Makes a sign-in code and mails it, unless an authenticator app shows the code. */
export async function issueSignInCode(
  ctx: Ctx,
  tx: Tx,
  account: Account,
  { limitSubject, visitor, isNewDevice, hasTotp, resendOf }: Requester,
): Promise<OtpId> {
  const id = ctx.ids.next(OtpId)
  const code = ctx.ids.digits(OTP_LENGTH)
  const createdAt = ctx.clock.now()
  await insertCode(tx, {
    id,
    personId: account.personId,
    purpose: 'signin',
    limitSubject,
    codeHash: hashCode(ctx, id, 'signin', code),
    attemptsAllowed: attemptsAllowed.signin,
    createdAt,
    expiresAt: plusMs(createdAt, CODE_LIFE_MS),
    ...(resendOf ? { resendOf } : {}),
  })
  await audit(ctx, tx, visitorActor(visitor), {
    action: 'account.code_issued',
    subject: id,
    accountId: account.merchantId,
    details: { purpose: 'signin', ...(resendOf ? { resendOf } : {}) },
  })
  if (hasTotp) return id
  const locale = account.locale ?? visitor.locale
  await ctx.mailer.send(
    tx,
    signInMail({
      to: account.email,
      fullname: account.fullname,
      code,
      occasion: occasion(visitor, createdAt, account.timeZone, locale),
      locale,
      isNewDevice,
      isProven: account.isProven,
    }),
  )
  return id
}
