import type { Letter, Occasion } from '../../../platform/mail/letter.ts'

const mail = (to: string, fullname: string, occasion: Occasion, lines: string[]): Letter => ({
  to,
  fullname,
  occasion,
  subject: 'Your Muripo password was changed',
  heading: 'Your Muripo password was changed',
  lines,
})

/** A thief may have made some before the password changed. */
const WHAT_STAYS =
  'Application keys and webhook endpoints stay as they are: if somebody else was signed in, look at them under Applications on your dashboard, and regenerate the keys.'

/** After "Forgot password". */
export const passwordSetMail = (to: string, fullname: string, occasion: Occasion): Letter =>
  mail(to, fullname, occasion, [
    'It was changed with a code or a link that we sent to this address. Every device was signed out.',
    WHAT_STAYS,
    'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
  ])

/** By somebody who was signed in and gave the old one. */
export const passwordChangedMail = (to: string, fullname: string, occasion: Occasion): Letter =>
  mail(to, fullname, occasion, [
    'It was changed in the settings of your account. Every other device was signed out.',
    WHAT_STAYS,
    'If this was not you, somebody knew your password: set another one at once with "Forgot password" on the sign-in page. That signs every device out.',
  ])
