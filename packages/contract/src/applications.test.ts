import { describe, expect, test } from 'vitest'
import { BankingDetails, createApplication, listApplications, regenerateKey } from './applications.ts'
import { categories } from './enums.ts'

test('[CONST-17] the categories are these 42, in this order', () => {
  expect(categories.join(', ')).toBe(
    'Other, E-commerce, SaaS, Mobile App, Web Application, Fintech, Healthcare, Education, Real Estate, Travel & Tourism, Food & Beverage, Entertainment, Gaming, Non-profit, Government, Manufacturing, Retail, Transportation, Utilities, Insurance, Banking, Investment, Cryptocurrency, NFT Marketplace, Subscription Service, Marketplace, Booking Platform, Social Media, Content Platform, Analytics Tool, CRM System, ERP System, Project Management, Communication Tool, Collaboration Platform, Learning Management, Event Management, Inventory Management, Point of Sale, Payment Gateway, Digital Wallet, Remittance Service',
  )
  expect(new Set(categories).size).toBe(42)
})

test('[CALLS-34] a new application needs name, description and category, and takes nothing else', () => {
  const whole = { applicationName: 'Till', description: 'The counter', category: 'Retail' }
  expect(createApplication.body.parse(whole)).toEqual(whole)
  for (const field of Object.keys(whole)) {
    expect(createApplication.body.safeParse({ ...whole, [field]: undefined }).success, field).toBe(false)
  }
  expect(createApplication.body.safeParse({ ...whole, status: 'active' }).success).toBe(false)
})

test('the name of an application, which payers see, keeps the direction of its text', () => {
  const { error } = createApplication.body.safeParse({
    applicationName: 'Till \u202elliT',
    description: 'The counter',
    category: 'Retail',
  })
  expect(error?.issues.map(({ message }) => message)).toEqual(['Must not contain control characters'])
})

test('[CALLS-30] [CALLS-39] the calls that send nothing declare no body', () => {
  for (const call of [listApplications, regenerateKey]) expect(call).not.toHaveProperty('body')
})

describe('[MANAGE-15] banking details', () => {
  const details = {
    bankName: 'CBZ Bank',
    bankAccountNumber: '012345678910',
    bankAccountName: 'Chiedza Crafts (Pvt) Ltd',
    bankAccountType: 'Current',
  }
  const wrong = (change: Partial<Record<keyof typeof details, string>>) =>
    BankingDetails.safeParse({ ...details, ...change }).error?.issues.map(({ message }) => message)

  test('are stored without the grouping and spaces of people', () => {
    expect(
      BankingDetails.parse({
        bankName: '  CBZ   Bank ',
        bankAccountNumber: ' 0123-4567 8910',
        bankAccountName: 'Chiedza\tCrafts\n(Pvt) Ltd',
        bankAccountType: 'Current',
      }),
    ).toEqual(details)
    expect(
      BankingDetails.parse({ ...details, bankAccountNumber: 'gb29 nwbk 6016 1331' }).bankAccountNumber,
    ).toBe('GB29NWBK60161331')
    expect(
      BankingDetails.parse({ ...details, bankAccountNumber: '\u200e٠١٢٣\u2013４５６' }).bankAccountNumber,
    ).toBe('0123456')
  })

  test.each([
    [{ bankName: ' ' }, 'Bank is required'],
    [{ bankAccountNumber: ' - ' }, 'Bank account number is required'],
    [{ bankAccountNumber: '1234' }, 'Bank account number must be 5 to 34 digits or letters'],
    [{ bankAccountNumber: '1'.repeat(35) }, 'Bank account number must be 5 to 34 digits or letters'],
    [{ bankAccountNumber: '12345/6' }, 'Bank account number must be 5 to 34 digits or letters'],
    [{ bankAccountName: '' }, 'Bank account name is required'],
    [{ bankAccountName: 'x'.repeat(101) }, 'Must be at most 100 characters'],
    [{ bankAccountName: 'Chiedza \u202eredniT' }, 'Must not contain control characters'],
    [{ bankName: 'CBZ\u0000' }, 'Must not contain control characters'],
    [{ bankName: 'CBZ\ud800' }, 'Must not contain control characters'],
    [{ bankAccountType: 'Other' }, 'Please select a bank account type'],
  ])('refused: %j', (change, message) => expect(wrong(change)).toEqual([message]))

  test('are complete, and have no further fields', () => {
    expect(BankingDetails.safeParse({ ...details, nameApproved: true }).success).toBe(false)
    const { bankName: _, ...rest } = details
    expect(BankingDetails.safeParse(rest).success).toBe(false)
  })
})
