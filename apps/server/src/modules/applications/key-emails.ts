import type { EmailContent, Occasion } from '../../platform/mail/email-content.ts'
import type { MerchantProfile } from '../identity/index.ts'

export const keyShownMail = (
  { email: to, fullname }: MerchantProfile,
  shown: {
    readonly applicationName: string
    readonly occasion: Occasion
    readonly contactEmail: string
  },
): EmailContent => ({
  to,
  fullname,
  subject: 'A live key of yours was shown on a new device',
  heading: 'A live key of yours was shown on a new device',
  occasion: shown.occasion,
  facts: [['Application', shown.applicationName]],
  lines: [
    'It was shown on your dashboard. We write to you the first time that a device shows one.',
    `If this was not you, somebody else is signed in to your account. Set another password with "Forgot password" on the sign-in page, which signs out every device, regenerate the keys of your applications, look at their webhook endpoints, and then write to ${shown.contactEmail}.`,
  ],
})
