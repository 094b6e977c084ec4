import { letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

interface Occasion {
  readonly when: string
  readonly from: string
}

const mail = (to: string, fullname: string, lines: string[]): Mail =>
  letter({
    to,
    fullname,
    subject: 'Your Muripo password was changed',
    opening: 'Your Muripo password was changed',
    lines,
  })

/** After "Forgot password". */
export const passwordSetMail = (to: string, fullname: string, { when, from }: Occasion): Mail =>
  mail(to, fullname, [
    `It was changed on ${when} with a code that we sent to this address, from ${from}. Every device was signed out.`,
    'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
  ])

/** By somebody who was signed in and gave the old one. */
export const passwordChangedMail = (to: string, fullname: string, { when, from }: Occasion): Mail =>
  mail(to, fullname, [
    `It was changed on ${when} in the settings of your account, from ${from}. Every other device was signed out.`,
    'If this was not you, somebody knew your password: set another one at once with "Forgot password" on the sign-in page. That signs every device out.',
  ])
