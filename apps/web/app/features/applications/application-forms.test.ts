import { applicationFields, bankingFields } from '@muripo/contract/application-fields'
import { BankingDetails, CreateApplication } from '@muripo/contract/applications'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanValues } from '../../lib/forms.ts'
import { bankingErrors, firstError } from './application-forms.ts'

describe('[CREATE-13] the create form is checked in order', () => {
  test.each([
    ['[CREATE-14]', { applicationName: ' ', description: '', category: '' }, 'Application name is required'],
    ['[CREATE-15]', { applicationName: 'A', description: ' ', category: '' }, 'Description is required'],
    ['[CREATE-16]', { applicationName: 'A', description: 'B', category: '' }, 'Please select a category'],
    [
      '[CREATE-17]',
      { applicationName: 'A', description: 'B', category: ' ' },
      'Please select a valid category',
    ],
    [
      '[CREATE-18]',
      { applicationName: 'A', description: 'B', category: 'Bakery' },
      'Please select a valid category from the list',
    ],
  ])('%s', (_, values, message) => expect(Object.values(firstError(values))).toEqual([message]))

  test('a complete form has no error', () => {
    expect(firstError({ applicationName: 'A', description: 'B', category: 'Other' })).toEqual({})
  })
})

test('[CREATE-19] name and description are sent without the space around them', () => {
  const typed = { applicationName: '  Till ', description: '\n The counter\n', category: 'Retail' }
  expect(cleanValues(applicationFields, typed)).toEqual({
    applicationName: 'Till',
    description: 'The counter',
    category: 'Retail',
  })
})

test('[MANAGE-15] every field of the banking form has its error at once', () => {
  const blank = { bankName: '', bankAccountNumber: ' ', bankAccountName: '', bankAccountType: '' }
  expect(Object.entries(bankingErrors(blank))).toEqual([
    ['bankName', 'Bank is required'],
    ['bankAccountNumber', 'Bank account number is required'],
    ['bankAccountName', 'Bank account name is required'],
    ['bankAccountType', 'Please select a bank account type'],
  ])
})

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', 'Retail', 'Current'),
)

test('the server accepts what the forms accept, unchanged', () => {
  fc.assert(
    fc.property(word, word, word, (applicationName, description, category) => {
      const typed = { applicationName, description, category }
      const message = Object.values(firstError(typed))[0]
      expect(CreateApplication.safeParse(typed).error?.issues[0]?.message).toBe(message)
      const sent = cleanValues(applicationFields, typed)
      if (message === undefined) expect(CreateApplication.parse(sent)).toEqual(sent)
    }),
  )
  fc.assert(
    fc.property(word, word, word, word, (bankName, bankAccountNumber, bankAccountName, bankAccountType) => {
      const typed = { bankName, bankAccountNumber, bankAccountName, bankAccountType }
      const errors = Object.values(bankingErrors(typed))
      expect(BankingDetails.safeParse(typed).error?.issues.map(({ message }) => message) ?? []).toEqual(
        errors,
      )
      const sent = cleanValues(bankingFields, typed)
      if (errors.length === 0) expect(BankingDetails.parse(sent)).toEqual(sent)
    }),
  )
})
