import type { Body } from '@muripo/contract/route'
import type { Contact, sendContact as route } from '@muripo/contract/site'
import type { z } from 'zod'
import type { Ctx } from '../../../platform/ctx.ts'
import { addressUses, refuseSpent } from '../../../platform/limits/admit.ts'
import { takeAll } from '../../../platform/limits/limits.ts'
import { couldBeLink, type EmailContent } from '../../../platform/mail/email-content.ts'

const MESSAGES = { name: 'contact', quota: 5, windowMs: 60 * 60 * 1000 }

/** Mails a visitor's message to the operators of this gateway; it is not stored. */
export async function sendContact(
  ctx: Ctx,
  input: Body<typeof route>,
  address: string,
): Promise<{ message: string }> {
  await ctx.db.tx(async (tx) => {
    const standings = await takeAll(ctx, tx, addressUses(ctx, MESSAGES, address))
    refuseSpent(standings, ctx.clock.now(), 'you send another message')
    await ctx.mailer.send(tx, contactMail(ctx.config.contactRecipient, input))
  })
  return { message: 'Thank you. Your message is on its way, and we will answer by email.' }
}

/** The input of a visitor is plain text. Only the validated address for replies is in a header. */
function contactMail(to: string, { name, email, message }: z.output<typeof Contact>): EmailContent {
  // A mail program would turn such a name into a link.
  const shown = couldBeLink(name) ? '' : name
  return {
    to,
    replyTo: email,
    subject: `Contact form: ${name.replace(/[\p{C}\s]+/gu, ' ').slice(0, 80)}`,
    heading: 'A message through the contact form',
    lines: [`${shown} <${email}> wrote:`.trimStart()],
    quote: message,
  }
}
