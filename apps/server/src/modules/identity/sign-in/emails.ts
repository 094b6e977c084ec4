import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { type CodeRequest, NOT_REQUESTED, warningOf } from '../one-time-codes/emails.ts'

interface SignInRequest extends CodeRequest {
  /** Whether the account has had a sign-in before. */
  readonly isProven: boolean
}

export const signInMail = ({ isNewDevice, isProven, ...request }: SignInRequest): EmailContent => ({
  ...request,
  ...warningOf(isNewDevice),
  subject: 'Your Muripo sign-in code',
  heading: 'Your Muripo sign-in code',
  lines: [
    'Enter it on the sign-in page to finish signing in to your Muripo account. It is good for 10 minutes and works once.',
    NOT_REQUESTED,
    isProven
      ? 'If you did not try to sign in, somebody knows your password: please change it.'
      : 'This code confirms the account. If you did not open it, do nothing: it is removed 48 hours after it was opened.',
  ],
})
