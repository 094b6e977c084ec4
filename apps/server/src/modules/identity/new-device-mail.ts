import type { Letter, Occasion } from '../../platform/mail/letter.ts'

export const newDeviceMail = (to: string, fullname: string, occasion: Occasion): Letter => ({
  to,
  fullname,
  occasion,
  subject: 'New sign-in to your Muripo account',
  heading: 'New sign-in to your Muripo account',
  lines: [
    'Your account was signed in to from a device that is new to it, with your password and the code that we sent to this address.',
    'If this was you, you need do nothing: we will not write to you about this device again.',
    'If it was not, somebody knows your password and can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page. That signs every device out.',
  ],
})
