import { letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

export const passwordResetMail = (to: string, fullname: string, code: string): Mail =>
  letter({
    to,
    fullname,
    code,
    subject: `Your Muripo password reset code: ${code}`,
    opening: 'Your Muripo password reset code',
    lines: [
      'Enter it on the page where you asked for it to set a new password. It is good for 10 minutes and works once.',
      'Muripo never asks for this code by phone, by chat or by mail. Do not give it to anyone.',
      'If you did not ask for it, you need do nothing: your password stays as it is.',
    ],
  })
