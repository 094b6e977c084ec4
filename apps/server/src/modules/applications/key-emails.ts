import type { EmailContent, Occasion } from '../../platform/mail/email-content.ts'
import { noticeTexts, noticeTo } from '../../platform/mail/recipient.ts'
import type { MerchantProfile } from '../identity/index.ts'

export function keyShownMail(
  merchant: MerchantProfile,
  shown: {
    readonly applicationName: string
    readonly occasion: Occasion
    readonly contactEmail: string
  },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyShown'), {
    occasion: shown.occasion,
    facts: [[t('application'), shown.applicationName]],
    lines: [t('keyShownWhere'), t('keyShownUnexpected', { contact: shown.contactEmail })],
  })
}
