import type { BankingDetails } from '@muripo/contract/applications'
import { describe, expect, test } from 'vitest'
import { renderEmail } from '../../platform/mail/render-email.ts'
import { bankingApprovedMail, bankingChangedMail, bankingRejectedMail } from './banking-emails.ts'

const merchant = {
  email: 'rudo@example.co.zw',
  fullname: 'Rudo Chikomo',
  timeZone: 'Africa/Harare',
  locale: null,
  reportingCurrency: 'USD',
}
const details: BankingDetails = {
  bankName: 'CBZ Bank',
  bankAccountNumber: '012345678910',
  bankAccountName: 'Chikomo & Sons',
  bankAccountType: 'Current',
}
const change = {
  applicationName: 'Chikomo Grocers',
  details,
  changed: ['bankName', 'bankAccountNumber'] as const,
  at: new Date('2026-11-20T22:30:00.000Z'),
  address: '203.0.113.7',
  contactEmail: 'help@muripo.example',
}
const all = [
  bankingChangedMail(merchant, change),
  bankingApprovedMail(merchant, 'Chikomo Grocers', details),
  bankingRejectedMail(merchant, 'Chikomo Grocers', details, 'The name is another'),
].map(renderEmail)

test('the mail about a change names no address where the operator has given none', () => {
  const { text } = renderEmail(bankingChangedMail(merchant, { ...change, contactEmail: null }))
  expect(text).toMatch(/signs out every device\.$/m)
  expect(text).not.toMatch(/write to|null|no-reply/)
})

test.each(all)(
  '$subject: names the application and the account, and of the number only its last digits',
  (mail) => {
    expect(mail.to).toBe(merchant.email)
    expect(mail.text).toContain('Application: Chikomo Grocers\n')
    expect(mail.text).toContain('•••• 8910')
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toContain('012345678910')
    expect(mail.html).toContain('Chikomo &amp; Sons')
  },
)

describe('the mail about a change', () => {
  const [{ text, html }] = all as [(typeof all)[number]]

  test('marks the new values and no others', () => {
    expect(text.match(/^.*\(new\)/gm)).toEqual(['Bank (new)', 'Account number (new)'])
  })

  test('gives the time in the time zone of the merchant, and an approximate address', () => {
    expect(text).toContain('When: 21 November 2026 at 00:30 (Africa/Harare)\nInternet address: 203.0.113.x\n')
  })

  test('names the next step after a change by somebody else, and the contact', () => {
    for (const part of [text, html]) {
      expect(part).toMatch(/If this was not you/)
      expect(part).toMatch(/Forgot password/)
      expect(part).toContain('help@muripo.example')
    }
  })

  test.each(['see evil.example', 'https://evil.example', 'mail me@evil'])(
    'contains no value that a mail program would link: %s',
    (bankAccountName) => {
      const mail = renderEmail(
        bankingChangedMail(merchant, { ...change, details: { ...details, bankAccountName } }),
      )
      expect(mail.text + mail.html).not.toContain('evil')
      expect(mail.text).toContain('Account name: as on your dashboard')
    },
  )
})

test('the mail about a refusal gives the reason', () => {
  expect(all[2]?.text).toContain('The reason: The name is another')
})

test('a number too short for last digits is hidden completely', () => {
  const mail = renderEmail(bankingApprovedMail(merchant, 'Shop', { ...details, bankAccountNumber: '12345' }))
  expect(mail.text + mail.html).not.toContain('345')
})

test.each([
  ['sn', 'Ruzivo rwenyu rwebhanga paMuripo rwachinjwa', 'Nguva: 21 Mbudzi 2026'],
  ['nd', 'Imininingwane yakho yebhanga kuMuripo itshintshiwe', 'Isikhathi: 21 Lwezi 2026'],
] as const)('the mail about a change is in the language of the merchant: %s', (locale, subject, when) => {
  const mail = renderEmail(bankingChangedMail({ ...merchant, locale }, change))
  expect(mail.subject).toBe(subject)
  expect(mail.html).toContain(`lang="${locale}"`)
  expect(mail.text).toContain(when)
  // A prefix of the language would be a part of another address.
  expect(mail.text).toMatch(/\shelp@muripo\.example/)
  expect(mail.text).not.toMatch(/dashboard,|Account|changed/)
})
