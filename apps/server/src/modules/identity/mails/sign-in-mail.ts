import type { Letter } from '../../../platform/mail/letter.ts'
import { type CodeRequest, NEVER_ASKED, warningOf } from './code-mail.ts'

export const signInMail = ({ to, fullname, code, occasion, isNewDevice }: CodeRequest): Letter => ({
  to,
  fullname,
  code,
  occasion,
  ...warningOf(isNewDevice),
  subject: `Your Muripo sign-in code: ${code}`,
  heading: 'Your Muripo sign-in code',
  lines: [
    'Enter it on the sign-in page to finish signing in to your Muripo account. It is good for 10 minutes and works once.',
    NEVER_ASKED,
    'If you did not try to sign in, somebody knows your password: please change it.',
  ],
})
