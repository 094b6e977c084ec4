import { AccountId, ApplicationId, PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import type { Payment } from '../payment.ts'
import { csvHead, csvRows } from './csv.ts'

const at = new Date('2026-11-20T09:30:00.000Z')
const payment: Payment = {
  accountId: AccountId.parse('mer_01h455vb4pex5vsknk084sn02q'),
  id: PaymentId.parse('pay_01h455vb4pex5vsknk084sn02q'),
  applicationId: ApplicationId.parse('app_01h455vb4pex5vsknk084sn02q'),
  amount: money(123_450n, 'USD'),
  status: 'completed',
  statusReason: null,
  termination: null,
  method: 'ecocash',
  providerReference: 'MP1',
  description: 'Basket',
  reference: null,
  customer: { id: null, email: null, name: null, phone: null },
  locale: null,
  successUrl: null,
  cancelUrl: null,
  metadata: {},
  captureMode: 'automatic',
  captured: null,
  captureBefore: null,
  fee: null,
  refunded: money(0n, 'USD'),
  refundPending: money(0n, 'USD'),
  lastEvent: 0,
  version: 0,
  createdAt: at,
  updatedAt: at,
  completedAt: at,
  expiresAt: at,
}
const row = (change: Partial<Payment> = {}) =>
  csvRows([{ payment: { ...payment, ...change }, applicationName: 'Shop' }])

test('the head begins with the mark that Excel needs', () => {
  expect(csvHead()).toBe(
    '\ufeffDate,Payment ID,Transaction ID,Status,Reason,Method,Method reference,Amount,Captured,Fee,Net,Refunded,Currency,Purpose,Reference,Application,Customer name,Customer phone,Customer email,Updated\r\n',
  )
})

test('a row has plain amounts, the currency beside them, and dates of RFC 3339', () => {
  expect(row()).toBe(
    '2026-11-20T09:30:00.000Z,pay_01h455vb4pex5vsknk084sn02q,txn_01h455vb4pex5vsknk084sn02q,COMPLETED,,ecocash,MP1,1234.50,1234.50,,,0.00,USD,Basket,,Shop,,,,2026-11-20T09:30:00.000Z\r\n',
  )
})

test('a captured payment has its fee and the amount less the fee', () => {
  expect(row({ fee: money(4321n, 'USD') })).toContain(',1234.50,43.21,1191.29,0.00,USD,')
})

describe('a text that begins like a formula is defused:', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\uff1d1'])('%j', (description) => {
    const cell = `'${description}`
    const written = /[\r\n]/.test(cell) ? `"${cell}"` : cell
    expect(row({ description })).toContain(`,USD,${written},`)
  })
  test('also a phone number and a name', () => {
    const customer = { id: null, email: null, name: '=HYPERLINK("x","y")', phone: '+263771234567' }
    expect(row({ customer })).toContain(`"'=HYPERLINK(""x"",""y"")",'+263771234567`)
  })
})

test('a text with quotes, commas and line breaks is one cell', () => {
  expect(row({ description: 'a "b", c' })).toContain(',"a ""b"", c",')
  expect(row({ description: 'a\n=1+1' })).toContain(',"a\n=1+1",')
})
