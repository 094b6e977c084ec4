import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'
import { codeTexts, type LinkRequest } from '../one-time-codes/emails.ts'

export function passwordResetMail({ link, isNewDevice, ...request }: LinkRequest): EmailContent {
  const { t, warning } = codeTexts({ ...request, isNewDevice })
  return {
    ...request,
    ...warning,
    subject: t('reset'),
    heading: t('reset'),
    lines: [t('resetUse'), t('keepSecret'), t('resetUnexpected'), t('resetLink')],
    link: { label: t('setPassword'), url: link },
  }
}

/** For an unproven account: the person who opened it has not shown that the address is theirs. */
export function unprovenResetMail({ link, ...request }: LinkRequest): EmailContent {
  const { t } = codeTexts(request)
  const { to, locale, code, occasion } = request
  return {
    to,
    locale,
    code,
    occasion,
    subject: t('unconfirmed'),
    heading: t('unconfirmed'),
    lines: [
      t('unconfirmedSignIn'),
      t('unconfirmedRemove'),
      t('keepSecret'),
      t('unconfirmedLink'),
      t('unconfirmedExpires'),
    ],
    link: { label: t('removeAccount'), url: link },
  }
}

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
