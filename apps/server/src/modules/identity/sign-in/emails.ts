import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { type CodeRequest, codeTexts } from '../one-time-codes/emails.ts'

interface SignInRequest extends CodeRequest {
  /** Whether the account has had a sign-in before. */
  readonly isProven: boolean
}

export function signInMail({ isNewDevice, isProven, ...request }: SignInRequest): EmailContent {
  const { t, warning } = codeTexts({ ...request, isNewDevice })
  return {
    ...request,
    ...warning,
    subject: t('signIn'),
    heading: t('signIn'),
    lines: [t('signInUse'), t('keepSecret'), t(isProven ? 'signInUnexpected' : 'signInConfirms')],
  }
}
