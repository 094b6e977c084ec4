import { letter, momentText } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

export function passwordChangedMail(
  to: string,
  fullname: string,
  { at, timeZone }: { at: Date; timeZone: string },
): Mail {
  return letter({
    to,
    fullname,
    subject: 'Your Muripo password was changed',
    opening: 'Your Muripo password was changed',
    lines: [
      `It was changed on ${momentText(at, timeZone)} with a code that we sent to this address. Every device was signed out.`,
      'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
    ],
  })
}
