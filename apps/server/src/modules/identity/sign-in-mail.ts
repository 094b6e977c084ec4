import { letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'

/** `newDevice` says where it was asked for, when that is nowhere known. */
export const signInMail = (to: string, fullname: string, code: string, newDevice?: string): Mail =>
  letter({
    to,
    fullname,
    code,
    subject: `Your Muripo sign-in code: ${code}`,
    opening: 'Your Muripo sign-in code',
    lines: [
      'Enter it on the sign-in page to finish signing in to your Muripo account. It is good for 10 minutes and works once.',
      ...(newDevice === undefined
        ? []
        : [`It was asked for from a device that has not signed in to your account before: ${newDevice}.`]),
      'Muripo never asks for this code by phone, by chat or by mail. Do not give it to anyone.',
      'If you did not try to sign in, somebody knows your password: please change it.',
    ],
  })
