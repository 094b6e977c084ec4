import { describe, expect, test } from 'vitest'
import { DashboardPaymentQuery } from './dashboard-payments.ts'
import { CreatePayment, PublicPaymentQuery } from './payments.ts'
import { Email, personText } from './text.ts'

const order = { amount: 12.5, currency: 'USD', description: 'Order 1001' }
const NUL = '\u0000'
const HALF_A_CHARACTER = '\ud83d'

function refusedFields(schema: typeof CreatePayment, input: unknown): string[] {
  const { error } = schema.safeParse(input)
  return (error?.issues ?? []).map((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.join() : issue.path.join('.'),
  )
}

describe('a payment is not made', () => {
  test.each([0, -1, -0.01, 1_000_000_000, 12.505, 1e-7, '12.50', null, Number.NaN])('of %j', (amount) => {
    expect(refusedFields(CreatePayment, { ...order, amount })).toEqual(['amount'])
  })

  test.each([
    ['succes_url', { succes_url: 'https://shop.test' }, ['succes_url']],
    ['customer.mail', { customer: { mail: 'a@b.co' } }, ['mail']],
    ['currency', { currency: 'usd' }, ['currency']],
    ['currency', { currency: 'ABC' }, ['currency']],
    ['description', { description: ' \t ' }, ['description']],
    ['description', { description: 'x'.repeat(501) }, ['description']],
    ['description', { description: `a${NUL}b` }, ['description']],
    ['description', { description: HALF_A_CHARACTER }, ['description']],
    ['description', { description: 'Order \u202e1001' }, ['description']],
    ['description', { description: 'Order\u009b1001' }, ['description']],
    ['reference', { reference: '1001\u202d' }, ['reference']],
    ['customer.name', { customer: { name: 'Rudo \u202eebuD' } }, ['customer.name']],
    ['customer.phone', { customer: { phone: '077123\u00004567' } }, ['customer.phone']],
    ['success_url', { success_url: 'javascript:alert(1)' }, ['success_url']],
    ['success_url', { success_url: '/paid' }, ['success_url']],
    ['success_url', { success_url: 'myshop://paid' }, ['success_url']],
    ['success_url', { success_url: 'intent://paid#Intent;scheme=myshop;end' }, ['success_url']],
    ['success_url', { success_url: 'https://user:pass@evil.example/' }, ['success_url']],
    ['cancel_url', { cancel_url: 'https://bank.example@evil.example' }, ['cancel_url']],
    ['cancel_url', { cancel_url: 'https://@evil.example/' }, ['cancel_url']],
    ['success_url', { success_url: `https://shop.test/${NUL}` }, ['success_url']],
    ['cancel_url', { cancel_url: `https://shop.test/${HALF_A_CHARACTER}` }, ['cancel_url']],
    ['cancel_url', { cancel_url: 'https://shop.test/ paid' }, ['cancel_url']],
    ['locale', { locale: 'fr' }, ['locale']],
    ['customer.email', { customer: { email: `a${NUL}@b.co` } }, ['customer.email']],
    ['metadata', { metadata: { a: NUL } }, ['metadata.a']],
    ['metadata', { metadata: { a: HALF_A_CHARACTER } }, ['metadata.a']],
    ['metadata', { metadata: { [`a${NUL}`]: '1' } }, [`metadata.a${NUL}`]],
    ['metadata', { metadata: { a: 1 } }, ['metadata.a']],
    ['expires_in', { expires_in: 1799 }, ['expires_in']],
    ['expires_in', { expires_in: 604_801 }, ['expires_in']],
  ])('with a wrong %s: %j', (_field, change, fields) => {
    expect(refusedFields(CreatePayment, { ...order, ...change })).toEqual(fields)
  })

  test('with more than 50 metadata entries', () => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))
    expect(refusedFields(CreatePayment, { ...order, metadata })).toEqual(['metadata'])
  })
})

test('whole characters of any script are kept unchanged, in their composed form', () => {
  const description = 'Café 🌍 ჩაი'
  expect(CreatePayment.parse({ ...order, description: description.normalize('NFD') }).description).toBe(
    description,
  )
  expect(CreatePayment.parse({ ...order, metadata: { '🌍': 'a\nb' } }).metadata).toEqual({ '🌍': 'a\nb' })
})

describe('a list is refused', () => {
  test.each([
    { limit: '0' },
    { limit: '10001' },
    { limit: 'ten' },
    { from: '2026-13-01' },
    { from: '0000-01-01' },
    { to: '20-11-2026' },
    { status: 'paid' },
    { minAmount: '-1' },
    { minAmount: 'NaN' },
    { maxAmount: '1e12' },
    { cursor: 'pay_x' },
    { search: 'x'.repeat(201) },
    { page: '2' },
  ])('for %j', (query) => {
    expect(DashboardPaymentQuery.safeParse(query).success).toBe(false)
  })

  test.each([
    { limit: '101' },
    { status: 'PENDING' },
    { reference: NUL },
    { created_after: '2026-11-20' },
    { created_before: '2026-11-20T09:30:00+99:00' },
  ])('to a shop for %j', (query) => {
    expect(PublicPaymentQuery.safeParse(query).success).toBe(false)
  })
})

test('words for status and method may be written in any case', () => {
  expect(DashboardPaymentQuery.parse({ status: 'Completed', method: 'EcoCash' })).toMatchObject({
    status: 'completed',
    method: 'ecocash',
  })
})

test('the error of a character that turns the direction of a text is one sentence', () => {
  const { error } = CreatePayment.safeParse({ ...order, description: 'Order \u202e1001' })
  expect(error?.issues.map(({ message }) => message)).toEqual(['Must not contain control characters'])
})

test.each(['one\ntwo', '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u{1f469}\u200d\u{1f33e}'])(
  'a line break, and joiners that a script needs, are kept: %j',
  (description) => {
    expect(CreatePayment.parse({ ...order, description }).description).toBe(description)
  },
)

test('text that a database cannot hold is refused wherever a person types', () => {
  for (const text of [`a${NUL}b`, `a${HALF_A_CHARACTER}`]) {
    expect(personText(100, 'x').safeParse(text).success).toBe(false)
    expect(Email.safeParse(`${text}@example.com`).success).toBe(false)
  }
})
