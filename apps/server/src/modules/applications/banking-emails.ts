import type { BankingDetails } from '@muripo/contract/applications'
import { coarse } from '../../platform/http/network.ts'
import { type EmailContent, momentText } from '../../platform/mail/email-content.ts'
import { contactLines, type NoticeText, noticeTexts, noticeTo } from '../../platform/mail/recipient.ts'
import type { MerchantProfile } from '../identity/index.ts'

/** The texts of the details, as they were and changed. */
const names = {
  bankName: ['bankName', 'bankNameNew'],
  bankAccountNumber: ['bankAccountNumber', 'bankAccountNumberNew'],
  bankAccountName: ['bankAccountName', 'bankAccountNameNew'],
  bankAccountType: ['bankAccountType', 'bankAccountTypeNew'],
} as const satisfies Readonly<Record<keyof BankingDetails, readonly [string, string]>>

const fields = Object.keys(names) as (keyof BankingDetails)[]

/** All details as they are now, those that are new marked as such; of the number only its end. */
function facts(
  t: NoticeText,
  applicationName: string,
  details: BankingDetails,
  changed: readonly (keyof BankingDetails)[] = [],
): [string, string][] {
  const values = { ...details, bankAccountNumber: masked(details.bankAccountNumber) }
  return [
    [t('application'), applicationName],
    ...fields.map((field): [string, string] => [
      t(names[field][changed.includes(field) ? 1 : 0]),
      values[field],
    ]),
  ]
}

export function bankingChangedMail(
  merchant: MerchantProfile,
  change: {
    readonly applicationName: string
    readonly details: BankingDetails
    readonly changed: readonly (keyof BankingDetails)[]
    readonly at: Date
    readonly address: string | null
    readonly contactEmail: string | null
  },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('bankingChanged'), {
    occasion: {
      when: momentText(change.at, merchant.timeZone, merchant.locale),
      ...(change.address === null ? {} : { network: coarse(change.address) }),
    },
    facts: facts(t, change.applicationName, change.details, change.changed),
    lines: [
      t('bankingChangedWhere'),
      t('bankingChangedUnexpected'),
      ...contactLines(t, 'writeThen', change.contactEmail),
    ],
  })
}

export function bankingApprovedMail(
  merchant: MerchantProfile,
  applicationName: string,
  details: BankingDetails,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('bankingApproved'), {
    facts: facts(t, applicationName, details),
    lines: [t('bankingApprovedNext')],
  })
}

export function bankingRejectedMail(
  merchant: MerchantProfile,
  applicationName: string,
  details: BankingDetails,
  reason: string,
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('bankingRejected'), {
    facts: facts(t, applicationName, details),
    lines: [t('bankingRejectedReason', { reason }), t('bankingRejectedNext')],
  })
}

/** The last digits of an account number, by which its owner recognises it. */
export const masked = (accountNumber: string): string =>
  accountNumber.length < 8 ? '••••' : `•••• ${accountNumber.slice(-4)}`
