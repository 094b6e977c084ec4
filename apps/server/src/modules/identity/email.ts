import { emailPattern } from '@muripo/contract/text'

// Characters that no mailbox needs and that a mail header reads as a second address, a name or a line break.
const refused = /[\p{Cc}\p{Cf}\p{Cs}<>()[\]\\,;:"]/u

/** An address that mail can safely be sent to, in composed form so that one address has one spelling; null for any other text. */
export function readEmail(text: string): string | null {
  const email = text.normalize('NFC')
  return emailPattern.test(email) && !refused.test(email) && email.length <= 254 ? email : null
}
