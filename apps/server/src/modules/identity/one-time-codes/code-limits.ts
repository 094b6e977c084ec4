import type { MerchantId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { addressUses } from '../../../platform/limits/admit.ts'
import type { Use } from '../../../platform/limits/limits.ts'
import { tooSoon } from '../../../platform/limits/refusal.ts'
import { countUses, enforceAddressThrottle } from '../enforce-throttles.ts'
import {
  DAY_MS,
  HOUR_MS,
  occasionOf,
  type RateLimitSubject,
  subjectName,
  type Throttle,
  throttles,
} from '../throttles.ts'
import { LINK_LIFE_MS, type Purpose } from './codes.ts'
import { type SentCodes, sentCodes } from './store-codes.ts'

const unusedOf = {
  signin: [throttles.unusedCodes, throttles.unusedCodesDay],
  password_reset: [throttles.unusedResetCodes, throttles.unusedResetCodesDay],
} as const satisfies Record<Purpose, readonly [hour: Throttle, day: Throttle]>

const wrongOf = {
  signin: [throttles.wrongCodes, throttles.wrongCodesDay],
  password_reset: [throttles.wrongResetCodes],
} as const satisfies Record<Purpose, readonly Throttle[]>

interface CodeRecipient {
  readonly merchantId: MerchantId
  readonly purpose: Purpose
  readonly limitSubject: RateLimitSubject
}

/** When the account may be sent another code; null when it may be now. The caller holds the account's lock, so no other code is sent meanwhile. */
export async function nextCodeAt(ctx: Ctx, tx: Tx, recipient: CodeRecipient): Promise<Date | null> {
  const now = ctx.clock.now()
  const codes = await recentCodes(tx, recipient, now)
  // An unrecognised device may request all mails of a day. The owner can still reset the password, with the link of the last mail or with a new mail.
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
  const codes = await recentCodes(tx, recipient, now)
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

/**
 * Claims a comparison with a code. It counts as wrong until it succeeds. The count covers all codes of the account: five attempts at each
 * of many codes must not add up.
 */
export async function claimCodeAttempt(
  ctx: Ctx,
  code: { purpose: Purpose; account: string; limitSubject: RateLimitSubject },
  address: string,
): Promise<{ succeed(): Promise<void> }> {
  const by = `${code.account} by ${subjectName(code.limitSubject)}`
  const uses: Use[] = wrongOf[code.purpose].map((limit) => ({ limit, by }))
  if (code.limitSubject === null) uses.push(...addressUses(ctx, throttles.wrongCodesByAddress, address))
  const attempt = await countUses(ctx, ctx.db.kysely, throttles.wrongCodesByAddress, uses)
  return { succeed: attempt.release }
}

const recentCodes = (
  tx: Tx,
  { merchantId, purpose, limitSubject }: CodeRecipient,
  now: Date,
): Promise<SentCodes> =>
  sentCodes(tx, merchantId, purpose, limitSubject, {
    hourAgo: plusMs(now, -HOUR_MS),
    dayAgo: plusMs(now, -DAY_MS),
  })

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
