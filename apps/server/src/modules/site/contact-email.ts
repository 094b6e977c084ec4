import type { Contact } from '@muripo/contract/site'
import type { z } from 'zod'
import { couldBeLink, type EmailContent } from '../../platform/mail/email-content.ts'

/** Everything a visitor wrote is text; only the address that an answer goes to stands in a header, and its form is checked. */
export function contactMail(to: string, { name, email, message }: z.output<typeof Contact>): EmailContent {
  // In the text a mail program would make a link of it.
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
