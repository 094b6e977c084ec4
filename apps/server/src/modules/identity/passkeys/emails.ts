import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'

const mail = (to: string, fullname: string, passkey: string, occasion: Occasion) => ({
  to,
  fullname,
  occasion,
  facts: [['Passkey', passkey]] as const,
})

export const passkeyAddedMail = (
  to: string,
  fullname: string,
  passkey: string,
  occasion: Occasion,
): EmailContent => ({
  ...mail(to, fullname, passkey, occasion),
  subject: 'A passkey was added to your Muripo account',
  heading: 'A passkey was added to your account',
  lines: [
    'From now on it can take the place of the code that we mail you when you sign in. Your password is asked for as before.',
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page, which signs every device out, and remove the passkey in the settings of your account.',
  ],
})

export const passkeyRemovedMail = (
  to: string,
  fullname: string,
  passkey: string,
  occasion: Occasion,
): EmailContent => ({
  ...mail(to, fullname, passkey, occasion),
  subject: 'A passkey was removed from your Muripo account',
  heading: 'A passkey was removed from your account',
  lines: [
    'It cannot be used to sign in any more. The code that we mail you still can.',
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page. That signs every device out.',
  ],
})
