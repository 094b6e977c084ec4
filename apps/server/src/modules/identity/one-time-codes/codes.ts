import { timingSafeEqual } from 'node:crypto'
import type { OtpId, PersonId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { addressUses, tooSoon } from '../../../platform/limits/admit.ts'
import type { Use } from '../../../platform/limits/limits.ts'
import type { Visitor } from '../devices/visitor.ts'
import { recordRefusedAttempt } from '../refused-attempts.ts'
import {
  type CountedUse,
  countUses,
  enforceAddressThrottle,
  occasionOf,
  type RateLimitSubject,
  subjectName,
  type Throttle,
  throttles,
} from '../throttles.ts'
import {
  type CodeRecipient,
  LINK_LIFE_MS,
  type Purpose,
  type SentCodes,
  type SpentAttempt,
  sentCodes,
  spendAttempt,
} from './store-codes.ts'

export const CODE_LIFE_MS = throttles.codeAttempts.windowMs
const LINK_BYTES = 32

export const attemptsAllowed = {
  signin: throttles.codeAttempts.quota,
  password_reset: throttles.resetCodeAttempts.quota,
} as const satisfies Record<Purpose, number>

/** The hash has a key, because a search of all million codes is fast. It is bound to the id and the purpose. */
export const hashCode = (ctx: Ctx, id: OtpId, purpose: Purpose, code: string): Buffer =>
  hmac(ctx.keys.otpHash, `${id}:${purpose}:${code}`)

export const newLinkToken = (ctx: Ctx): string => ctx.ids.bytes(LINK_BYTES).toString('base64url')

export const hashLink = (ctx: Ctx, token: string): Buffer =>
  hmac(ctx.keys.otpHash, `password_reset link:${token}`)

const unusedOf = {
  signin: [throttles.unusedCodes, throttles.unusedCodesDay],
  password_reset: [throttles.unusedResetCodes, throttles.unusedResetCodesDay],
} as const satisfies Record<Purpose, readonly [hour: Throttle, day: Throttle]>

const wrongOf = {
  signin: [throttles.wrongCodes, throttles.wrongCodesDay],
  password_reset: [throttles.wrongResetCodes],
} as const satisfies Record<Purpose, readonly Throttle[]>

/** The time from which the account may be sent another code; null for now. The caller holds the lock of the account, which orders codes. */
export async function nextCodeAt(ctx: Ctx, tx: Tx, recipient: CodeRecipient): Promise<Date | null> {
  const now = ctx.clock.now()
  const codes = await sentCodes(tx, recipient, now)
  // Unrecognised devices may have used up the codes of a day. The owner can still reset the password: with the link of the last mail, and
  // once that has expired, with a new mail.
  const isLinkExpired = codes.lastAt !== null && plusMs(codes.lastAt, LINK_LIFE_MS) <= now
  if (recipient.purpose === 'password_reset' && isLinkExpired) return null
  return latest(unusedEnds(codes, recipient.purpose), now)
}

/** Refuses the first code of a sign-in. The caller has given the password and waits for the mail, so the refusal is not silent. */
export async function refuseTooManyCodes(ctx: Ctx, tx: Tx, recipient: CodeRecipient): Promise<void> {
  const at = await nextCodeAt(ctx, tx, recipient)
  if (at !== null) throw tooSoon(at, ctx.clock.now(), occasionOf(throttles.unusedCodes))
}

export async function refuseEarlyResend(ctx: Ctx, tx: Tx, recipient: CodeRecipient): Promise<void> {
  const now = ctx.clock.now()
  const codes = await sentCodes(tx, recipient, now)
  const at = latest(
    [
      codes.lastAt && plusMs(codes.lastAt, throttles.resendPause.windowMs),
      endOf(codes.resends, throttles.resends),
      ...unusedEnds(codes, recipient.purpose),
    ],
    now,
  )
  if (at !== null) throw tooSoon(at, now, occasionOf(throttles.resends))
}

/** Counts a code that is mailed at the request of an unrecognised device, by its address. */
export async function countCodeByAddress(ctx: Ctx, q: Queryable, address: string): Promise<void> {
  await enforceAddressThrottle(ctx, q, throttles.codesByAddress, address)
}

export interface ClaimedAttempt {
  readonly code: SpentAttempt
  /** The code was correct, or a passkey replaced it. */
  succeed(): Promise<void>
}

/**
 * Claims an attempt at a code: one of the attempts of this code, and one of the wrong codes of the account, because five attempts at each
 * of many codes must not add up. The attempt counts as wrong until it succeeds. Both counts are committed before the comparison, so that
 * concurrent guesses count one by one.
 * @returns null when the code is not usable
 */
export async function claimCodeAttempt(
  ctx: Ctx,
  { id, purpose }: { readonly id: OtpId; readonly purpose: Purpose },
  address: string,
): Promise<ClaimedAttempt | null> {
  const code = await spendAttempt(ctx.db.kysely, id, purpose, ctx.clock.now())
  if (code === null) return null
  // A reset code counts for the typed email, so that an email without an account has the same number of attempts.
  const account = code.requestedFor?.toString('hex') ?? code.personId ?? id
  const attempt = await claimSecondStep(ctx, purpose, account, code.limitSubject, address)
  return { code, succeed: attempt.release }
}

/** Counts one of the wrong codes of an account, until it is released. */
export function claimSecondStep(
  ctx: Ctx,
  purpose: Purpose,
  account: string,
  limitSubject: RateLimitSubject,
  address: string,
): Promise<CountedUse> {
  const by = `${account} by ${subjectName(limitSubject)}`
  const uses: Use[] = wrongOf[purpose].map((limit) => ({ limit, by }))
  if (limitSubject === null) uses.push(...addressUses(ctx, throttles.wrongCodesByAddress, address))
  return countUses(ctx, ctx.db.kysely, throttles.wrongCodesByAddress, uses)
}

interface TypedCode {
  readonly id: OtpId
  readonly purpose: Purpose
  readonly code: string
}

/**
 * Checks a typed code, after its attempt is counted.
 * @returns the owner of the code; null when the code is not usable
 * @throws AppError otp_invalid, rate_limited
 */
export async function checkCode(ctx: Ctx, typed: TypedCode, visitor: Visitor): Promise<CodeOwner | null> {
  const claim = await claimCodeAttempt(ctx, typed, visitor.address)
  return claim && compareCode(ctx, claim, typed, visitor)
}

interface CodeOwner {
  readonly personId: PersonId
  readonly limitSubject: RateLimitSubject
}

/**
 * Compares a typed code with the mailed one.
 * @throws AppError otp_invalid
 */
export async function compareCode(
  ctx: Ctx,
  claim: ClaimedAttempt,
  { id, purpose, code }: TypedCode,
  visitor: Visitor,
): Promise<CodeOwner> {
  const { personId, limitSubject, codeHash } = claim.code
  const isRight = timingSafeEqual(hashCode(ctx, id, purpose, code), codeHash)
  if (personId === null || !isRight) {
    await recordRefusedAttempt(ctx, visitor, { action: 'account.code_refused', personId, subject: id })
    throw new AppError('otp_invalid')
  }
  await claim.succeed()
  return { personId, limitSubject }
}

function unusedEnds({ unusedInHour, unusedInDay }: SentCodes, purpose: Purpose): (Date | null)[] {
  const [hour, day] = unusedOf[purpose]
  return [endOf(unusedInHour, hour), endOf(unusedInDay, day)]
}

const endOf = (
  { count, firstAt }: SentCodes['resends'],
  { quota, windowMs }: Pick<Throttle, 'quota' | 'windowMs'>,
): Date | null => (count >= quota && firstAt ? plusMs(firstAt, windowMs) : null)

function latest(ends: readonly (Date | null)[], now: Date): Date | null {
  const last = Math.max(...ends.map((at) => at?.getTime() ?? 0))
  return last > now.getTime() ? new Date(last) : null
}
