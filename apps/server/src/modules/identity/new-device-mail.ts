import { letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

export const newDeviceMail = (
  to: string,
  fullname: string,
  { when, from }: { when: string; from: string },
): Mail =>
  letter({
    to,
    fullname,
    subject: 'New sign-in to your Muripo account',
    opening: 'Your Muripo account was signed in to from a new device',
    lines: [
      `It was on ${when}, from ${from}, with your password and the code that we sent to this address.`,
      'If this was you, you need do nothing: we will not write to you about this device again.',
      'If it was not, somebody knows your password and can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page. That signs every device out.',
    ],
  })
