import type { MerchantId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { tooSoon } from '../../../platform/limits/refusal.ts'
import { DAY_MS, HOUR_MS, RESEND_PAUSE_MS, RESENDS_AN_HOUR, unusedCodes } from '../limits.ts'
import type { Party } from '../party.ts'
import { LINK_LIFE_MS, type Purpose } from './codes.ts'
import { type SentCodes, sentCodes } from './store-codes.ts'

interface Asked {
  readonly merchantId: MerchantId
  readonly purpose: Purpose
  readonly party: Party
}

/** When the account may be sent another code; null when it may be now. Under the account's lock nobody else sends one meanwhile. */
export async function nextCodeAt(ctx: Ctx, tx: Tx, asked: Asked): Promise<Date | null> {
  const now = ctx.clock.now()
  const codes = await sent(tx, asked, now)
  // A stranger may ask for all mails of a day. The owner can still reset the password: with the link of the last mail, or with a new one.
  const isLinkOver = codes.lastAt !== null && plusMs(codes.lastAt, LINK_LIFE_MS) <= now
  if (asked.purpose === 'password_reset' && isLinkOver) return null
  return latest(unusedEnds(codes, asked.purpose), now)
}

/** The first code of a sign-in is waited for by somebody who typed the password, so it is told when there is none. */
export async function refuseManyCodes(ctx: Ctx, tx: Tx, asked: Asked): Promise<void> {
  const at = await nextCodeAt(ctx, tx, asked)
  if (at !== null) throw tooSoon(at, ctx.clock.now(), 'you ask for another code')
}

export async function refuseEarlyResend(ctx: Ctx, tx: Tx, asked: Asked): Promise<void> {
  const now = ctx.clock.now()
  const codes = await sent(tx, asked, now)
  const at = latest(
    [
      codes.lastAt && plusMs(codes.lastAt, RESEND_PAUSE_MS),
      endOf(codes.resends, RESENDS_AN_HOUR, HOUR_MS),
      ...unusedEnds(codes, asked.purpose),
    ],
    now,
  )
  if (at !== null) throw tooSoon(at, now, 'you ask for another code')
}

const sent = (tx: Tx, { merchantId, purpose, party }: Asked, now: Date): Promise<SentCodes> =>
  sentCodes(tx, merchantId, purpose, party, { hourAgo: plusMs(now, -HOUR_MS), dayAgo: plusMs(now, -DAY_MS) })

const unusedEnds = ({ unusedInHour, unusedInDay }: SentCodes, purpose: Purpose): (Date | null)[] => [
  endOf(unusedInHour, unusedCodes[purpose].anHour, HOUR_MS),
  endOf(unusedInDay, unusedCodes[purpose].aDay, DAY_MS),
]

const endOf = ({ count, firstAt }: SentCodes['resends'], most: number, withinMs: number): Date | null =>
  count >= most && firstAt ? plusMs(firstAt, withinMs) : null

function latest(ends: readonly (Date | null)[], now: Date): Date | null {
  const last = Math.max(...ends.map((at) => at?.getTime() ?? 0))
  return last > now.getTime() ? new Date(last) : null
}
