import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'
import { noticeTexts, noticeTo, type Recipient } from '../../../platform/mail/recipient.ts'

/** The second step of the sign-in, beside the password. */
export type SecondStep = 'code' | 'passkey'

export function newDeviceMail(to: Recipient, occasion: Occasion, step: SecondStep = 'code'): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('newSignIn'), {
    occasion,
    lines: [t('newSignInStep', { step }), t('newSignInExpected'), t('newSignInUnexpected', { step })],
  })
}
