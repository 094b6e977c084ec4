import { type MerchantId, OtpId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import { endCode, goodCodeOwner, type SentCodes, sentSignInCodes } from '../code-store.ts'
import { issueSignInCode } from '../issue-sign-in-code.ts'
import { lockAccount } from '../store.ts'

const PAUSE_MS = 20 * 1000
const HOUR_MS = 60 * 60 * 1000
const RESENDS_AN_HOUR = 5

/** Mails another sign-in code. The old one ends with it, so that there is one to guess and not two. */
export async function resendCode(ctx: Ctx, otpId: string): Promise<{ message: string; otpId: OtpId }> {
  const id = parseId(OtpId, otpId)
  if (id === null) throw new AppError('otp_expired')

  const next = await ctx.db.tx(async (tx) => {
    // Who is refused anyway does not queue at the merchant's row; behind its lock the same questions decide.
    const merchantId = await goodCodeOwner(tx, id, 'signin', ctx.clock.now())
    if (merchantId === null) throw new AppError('otp_expired')
    await refuseTooSoon(ctx, tx, merchantId).catch(async (tooSoon: unknown) => {
      // The code that makes it too soon may have been made in place of this one a moment ago: then this one is gone.
      const stillGood = await goodCodeOwner(tx, id, 'signin', ctx.clock.now())
      throw stillGood === null ? new AppError('otp_expired') : tooSoon
    })

    const account = await lockAccount(tx, merchantId)
    if (!(await endCode(tx, id, ctx.clock.now()))) throw new AppError('otp_expired')
    await refuseTooSoon(ctx, tx, merchantId)
    return issueSignInCode(ctx, tx, account, id)
  })
  return { message: 'We sent a new sign-in code to your email', otpId: next }
}

async function refuseTooSoon(ctx: Ctx, tx: Tx, merchantId: MerchantId): Promise<void> {
  const now = ctx.clock.now()
  const waitMs = waitOf(await sentSignInCodes(tx, merchantId, plusMs(now, -HOUR_MS)), now)
  if (waitMs > 0) throw tooSoon(waitMs)
}

function waitOf({ lastAt, resends, firstResendAt }: SentCodes, now: Date): number {
  const pauseEndsAt = lastAt && plusMs(lastAt, PAUSE_MS)
  const hourEndsAt = resends >= RESENDS_AN_HOUR && firstResendAt ? plusMs(firstResendAt, HOUR_MS) : null
  return Math.max(0, ...[pauseEndsAt, hourEndsAt].map((at) => (at ? at.getTime() - now.getTime() : 0)))
}

function tooSoon(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new AppError('rate_limited', {
    detail: `Please wait ${wait} before you ask for another code`,
    headers: { 'retry-after': String(seconds) },
  })
}
