import type { EmailContent, Occasion } from '../../../platform/mail/email-content.ts'

/** The second step of the sign-in, beside the password. */
export type SecondStep = 'code' | 'passkey'

const shown = {
  code: 'the code that we sent to this address',
  passkey: 'one of your passkeys',
} as const satisfies Record<SecondStep, string>

const ifItWasNot = {
  code: 'If it was not, somebody knows your password and can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page. That signs every device out.',
  passkey:
    'If it was not, somebody knows your password and has one of your passkeys: set another password with "Forgot password" on the sign-in page, which signs every device out, and remove that passkey in the settings of your account.',
} as const satisfies Record<SecondStep, string>

export const newDeviceMail = (
  to: string,
  fullname: string,
  occasion: Occasion,
  step: SecondStep = 'code',
): EmailContent => ({
  to,
  fullname,
  occasion,
  subject: 'New sign-in to your Muripo account',
  heading: 'New sign-in to your Muripo account',
  lines: [
    `Your account was signed in to from a device that is new to it, with your password and ${shown[step]}.`,
    'If this was you, you need do nothing: we will not write to you about this device again.',
    ifItWasNot[step],
  ],
})
