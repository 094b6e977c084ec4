import type { Body } from '@muripo/contract/route'
import type { sendContact as route } from '@muripo/contract/site'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { contactMail } from '../contact-mail.ts'
import { senderHash } from '../sender.ts'
import { forgetSenders, noteMessage } from '../store.ts'

const HOUR_MS = 60 * 60 * 1000
const MESSAGES_AN_HOUR = 5

/** Mails a visitor's message to the people who run this gateway; it is kept nowhere else. */
export async function sendContact(
  ctx: Ctx,
  input: Body<typeof route>,
  address: string,
): Promise<{ message: string }> {
  const now = ctx.clock.now()
  const since = plusMs(now, -HOUR_MS)
  await forgetSenders(ctx.db.kysely, since)

  await ctx.db.tx(async (tx) => {
    const messages = MESSAGES_AN_HOUR * ctx.config.rateLimitFactor
    const oldest = await noteMessage(tx, senderHash(ctx, address), now, { since, messages })
    if (oldest !== null) throw tooMany(plusMs(oldest, HOUR_MS).getTime() - now.getTime())
    await ctx.mailer.send(tx, contactMail(ctx.config.contactEmail, input))
  })
  return { message: 'Thank you. Your message is on its way, and we will answer by email.' }
}

function tooMany(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new AppError('rate_limited', {
    detail: 'You have sent several messages already. Please try again later',
    headers: { 'retry-after': String(seconds) },
  })
}
