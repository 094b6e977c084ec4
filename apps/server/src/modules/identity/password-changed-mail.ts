import { letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

export const passwordChangedMail = (
  to: string,
  fullname: string,
  { when, from }: { when: string; from: string },
): Mail =>
  letter({
    to,
    fullname,
    subject: 'Your Muripo password was changed',
    opening: 'Your Muripo password was changed',
    lines: [
      `It was changed on ${when} with a code that we sent to this address, from ${from}. Every device was signed out.`,
      'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
    ],
  })
