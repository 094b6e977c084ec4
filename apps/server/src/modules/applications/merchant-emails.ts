import { type EmailContent, momentText } from '../../platform/mail/email-content.ts'
import type { MerchantMove, MerchantProfile } from '../identity/index.ts'
import type { KeyMode } from './key.ts'

interface Gateway {
  readonly keyMode: KeyMode
  readonly contactEmail: string
}

const titles: Readonly<Record<MerchantMove, string>> = {
  approve: 'Your Muripo account is approved',
  suspend: 'Your Muripo account is suspended',
  resume: 'Your Muripo account is active again',
  close: 'Your Muripo account is closed',
}

const UNDER_WAY =
  'Payments that payers have already confirmed are still completed, and what was paid stays yours. You can sign in and see everything.'

function linesOf(move: MerchantMove, { keyMode, contactEmail }: Gateway): readonly string[] {
  switch (move) {
    case 'approve':
      return keyMode === 'live'
        ? [
            'Each of your applications has a live key now: Applications, Manage, Application Key. Your test keys work as before.',
            'The names of your applications were checked with your account. When you add an application, payers see your own name in their wallet until its name is checked too.',
          ]
        : ['There is nothing that you need to do.']
    case 'suspend':
      return [
        'From now on no payment can be created or begun, and nothing can be changed or refunded from your side.',
        UNDER_WAY,
        `If you have questions, write to ${contactEmail}.`,
      ]
    case 'resume':
      return ['Your keys work again, and payers can pay again. There is nothing that you need to do.']
    case 'close':
      return [
        'No payment can be created or begun any more, and nothing can be changed.',
        UNDER_WAY,
        `If you have questions, write to ${contactEmail}.`,
      ]
  }
}

/** The email about the operator's decision on the account, with its reason. */
export const statusMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  move: MerchantMove,
  reason: string,
  at: Date,
  gateway: Gateway,
): EmailContent => ({
  to,
  fullname,
  subject: titles[move],
  heading: titles[move],
  occasion: { when: momentText(at, timeZone) },
  facts: [['Reason', reason]],
  lines: linesOf(move, gateway),
})

export const namesApprovedMail = (
  { email: to, fullname }: MerchantProfile,
  names: readonly string[],
): EmailContent => ({
  to,
  fullname,
  subject: 'Names of your Muripo applications are approved',
  heading: 'Names of your Muripo applications are approved',
  facts: names.map((name): [string, string] => ['Application', name]),
  lines: ['Payers see these names in their wallet from now on. There is nothing that you need to do.'],
})

export const applicationStoppedMail = (
  { email: to, fullname }: MerchantProfile,
  applicationName: string,
  reason: string,
  { contactEmail }: Gateway,
): EmailContent => ({
  to,
  fullname,
  subject: 'A Muripo application of yours is stopped',
  heading: 'A Muripo application of yours is stopped',
  facts: [
    ['Application', applicationName],
    ['Reason', reason],
  ],
  lines: [
    'Its keys are refused and its payments cannot be paid until we let it go on. Payments that payers have already confirmed are still completed.',
    `If you have questions, write to ${contactEmail}.`,
  ],
})

export const applicationResumedMail = (
  { email: to, fullname }: MerchantProfile,
  applicationName: string,
  reason: string,
): EmailContent => ({
  to,
  fullname,
  subject: 'A Muripo application of yours goes on',
  heading: 'A Muripo application of yours goes on',
  facts: [
    ['Application', applicationName],
    ['Reason', reason],
  ],
  lines: ['Its keys work again, and its payments can be paid again. There is nothing that you need to do.'],
})

export const keyRevokedMail = (
  { email: to, fullname }: MerchantProfile,
  applicationName: string,
  mode: KeyMode,
  reason: string,
): EmailContent => ({
  to,
  fullname,
  subject: 'A key of your Muripo application is revoked',
  heading: 'A key of your Muripo application is revoked',
  facts: [
    ['Application', applicationName],
    ['Key', mode === 'live' ? 'Live key' : 'Test key'],
    ['Reason', reason],
  ],
  lines: [
    'The key is refused from now on. You get another one on your dashboard: Applications, Manage, Application Key, Regenerate Key.',
    'Please look through the webhook endpoints of this application too, and delete those that you do not know.',
  ],
})
