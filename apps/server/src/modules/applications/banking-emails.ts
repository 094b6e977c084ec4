import type { BankingDetails } from '@muripo/contract/applications'
import { coarse } from '../../platform/http/network.ts'
import { type EmailContent, momentText } from '../../platform/mail/email-content.ts'
import type { MerchantProfile } from '../identity/index.ts'
import { masked } from './account-number.ts'

const names: Readonly<Record<keyof BankingDetails, string>> = {
  bankName: 'Bank',
  bankAccountNumber: 'Account number',
  bankAccountName: 'Account name',
  bankAccountType: 'Account type',
}

const shown = (details: BankingDetails): BankingDetails => ({
  ...details,
  bankAccountNumber: masked(details.bankAccountNumber),
})

/** All details as they are now, those that are new marked as such; of the number only its end. */
function facts(
  applicationName: string,
  details: BankingDetails,
  changed: readonly (keyof BankingDetails)[] = [],
): [string, string][] {
  const values = shown(details)
  const fields = Object.keys(names) as (keyof BankingDetails)[]
  return [
    ['Application', applicationName],
    ...fields.map((field): [string, string] => [
      changed.includes(field) ? `${names[field]} (new)` : names[field],
      values[field],
    ]),
  ]
}

export const bankingChangedMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  change: {
    readonly applicationName: string
    readonly details: BankingDetails
    readonly changed: readonly (keyof BankingDetails)[]
    readonly at: Date
    readonly address: string | null
    readonly contactEmail: string
  },
): EmailContent => ({
  to,
  fullname,
  subject: 'Your Muripo banking details were changed',
  heading: 'Your Muripo banking details were changed',
  occasion: {
    when: momentText(change.at, timeZone),
    ...(change.address === null ? {} : { network: coarse(change.address) }),
  },
  facts: facts(change.applicationName, change.details, change.changed),
  lines: [
    'They were changed on your dashboard. Before anything is paid out to this account, we check its name.',
    `If this was not you, somebody else is signed in to your account. Set another password with "Forgot password" on the sign-in page, which signs out every device, and then write to ${change.contactEmail}.`,
  ],
})

export const bankingApprovedMail = (
  { email: to, fullname }: MerchantProfile,
  applicationName: string,
  details: BankingDetails,
): EmailContent => ({
  to,
  fullname,
  subject: 'Your Muripo banking details are approved',
  heading: 'Your Muripo banking details are approved',
  facts: facts(applicationName, details),
  lines: ['We have checked the name of this account. There is nothing that you need to do.'],
})

export const bankingRejectedMail = (
  { email: to, fullname }: MerchantProfile,
  applicationName: string,
  details: BankingDetails,
  reason: string,
): EmailContent => ({
  to,
  fullname,
  subject: 'Your Muripo banking details could not be approved',
  heading: 'Your Muripo banking details could not be approved',
  facts: facts(applicationName, details),
  lines: [
    `The reason: ${reason}`,
    'Please put them right on your dashboard: Applications, Manage, Banking Settlements and Reconciliations, Update Banking Details. We then look at them again. Payments go on as before.',
  ],
})
