import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'
import { type LinkRequest, NOT_REQUESTED, warningOf } from '../one-time-codes/emails.ts'

const BOTH_END =
  'The link is good for 60 minutes and works once. The use of the code or of the link ends both.'

export const passwordResetMail = ({ link, isNewDevice, ...request }: LinkRequest): EmailContent => ({
  ...request,
  ...warningOf(isNewDevice),
  subject: 'Your Muripo password reset code',
  heading: 'Your Muripo password reset code',
  lines: [
    'Enter it on the page where you asked for it to set a new password. It is good for 10 minutes and works once.',
    NOT_REQUESTED,
    'If you did not ask for it, you need do nothing: your password stays as it is.',
    `If the page does not take the code, set the new password with this link. ${BOTH_END}`,
  ],
  link: { label: 'Set a new password', url: link },
})

/** For an unproven account: the person who opened it has not shown that the address is theirs. */
export const unprovenResetMail = ({ link, isNewDevice: _, ...request }: LinkRequest): EmailContent => ({
  to: request.to,
  code: request.code,
  occasion: request.occasion,
  subject: 'Your Muripo account is not confirmed',
  heading: 'Your Muripo account is not confirmed',
  lines: [
    'An account was opened with this address, and nobody has signed in to it yet. If you opened it, sign in with the password that you chose: the code that we then mail you confirms the account.',
    'If you forgot that password, or if another person opened the account, enter the code above on the page where you asked for it. The account and its document are removed, and you can sign up again. The code is good for 10 minutes and works once.',
    NOT_REQUESTED,
    `You can also remove the account with this link. ${BOTH_END}`,
    'If you do nothing, the account is removed 48 hours after it was opened.',
  ],
  link: { label: 'Remove the account', url: link },
})

const passwordEmail = (to: string, fullname: string, occasion: Occasion, lines: string[]): EmailContent => ({
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
export const passwordSetMail = (to: string, fullname: string, occasion: Occasion): EmailContent =>
  passwordEmail(to, fullname, occasion, [
    'It was changed with a code or a link that we sent to this address. Every device was signed out.',
    WHAT_STAYS,
    'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
  ])

/** The email after a signed-in user replaced the old password. */
export const passwordChangedMail = (to: string, fullname: string, occasion: Occasion): EmailContent =>
  passwordEmail(to, fullname, occasion, [
    'It was changed in the settings of your account. Every other device was signed out.',
    WHAT_STAYS,
    'If this was not you, somebody knew your password: set another one at once with "Forgot password" on the sign-in page. That signs every device out.',
  ])
