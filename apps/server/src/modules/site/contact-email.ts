import type { Contact } from '@muripo/contract/site'
import type { z } from 'zod'
import { couldBeLink, type EmailContent } from '../../platform/mail/email-content.ts'

/** A visitor's input is plain text; only the address for replies is in a header, and its form is validated. */
export function contactMail(to: string, { name, email, message }: z.output<typeof Contact>): EmailContent {
  // A mail program would make a link of such a name in the text.
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
