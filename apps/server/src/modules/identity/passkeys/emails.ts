import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'
import { noticeTexts, noticeTo, type Recipient } from '../../../platform/mail/recipient.ts'

export function passkeyAddedMail(to: Recipient, passkey: string, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passkeyAdded'), {
    occasion,
    facts: [[t('passkey'), passkey]],
    lines: [t('passkeyAddedUse'), t('passkeyAddedUnexpected')],
  })
}

export function passkeyRemovedMail(to: Recipient, passkey: string, occasion: Occasion): EmailContent {
  const t = noticeTexts(to)
  return noticeTo(to, t('passkeyRemoved'), {
    occasion,
    facts: [[t('passkey'), passkey]],
    lines: [t('passkeyRemovedUse'), t('passkeyRemovedUnexpected')],
  })
}
