import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'
import { noticeTexts, noticeTo, type Recipient } from '../../../platform/mail/recipient.ts'
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

/** The email after "Forgot password". A thief may have made keys and endpoints before the password changed. */
export function passwordSetMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passwordChanged'), {
    occasion,
    lines: [t('passwordChangedByMail'), t('keysStay'), t('mailIsRead')],
  })
}

/** The email after a signed-in user replaced the old password. */
export function passwordChangedMail(to: Recipient, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passwordChanged'), {
    occasion,
    lines: [t('passwordChangedInSettings'), t('keysStay'), t('passwordWasKnown')],
  })
}
