import type { Letter } from '../../../platform/mail/letter.ts'
import { type CodeRequest, NEVER_ASKED, warningOf } from './code-mail.ts'

export const passwordResetMail = ({ to, fullname, code, occasion, isNewDevice }: CodeRequest): Letter => ({
  to,
  fullname,
  code,
  occasion,
  ...warningOf(isNewDevice),
  subject: `Your Muripo password reset code: ${code}`,
  heading: 'Your Muripo password reset code',
  lines: [
    'Enter it on the page where you asked for it to set a new password. It is good for 10 minutes and works once.',
    NEVER_ASKED,
    'If you did not ask for it, you need do nothing: your password stays as it is.',
  ],
})
