import { AccountId, ApplicationId, PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import type { Payment } from '../payment/payment.ts'
import { csvHead, csvRowsIn } from './csv.ts'

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
  payableMethods: [],
  captured: null,
  captureBefore: null,
  fee: null,
  refunded: money(0n, 'USD'),
  refundPending: money(0n, 'USD'),
  reversed: money(0n, 'USD'),
  lastEvent: 0,
  version: 0,
  createdAt: at,
  updatedAt: at,
  completedAt: at,
  expiresAt: at,
}
const row = (change: Partial<Payment> = {}, timeZone = 'Africa/Harare') =>
  csvRowsIn(timeZone)([{ payment: { ...payment, ...change }, applicationName: 'Shop' }])

/** The cells of the only row, as any reader of CSV has them. */
function cellsOf(written: string): Record<string, string> {
  const read = (line: string) =>
    [...line.replace(/\r\n$/, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    )
  const cells = read(written)
  return Object.fromEntries(read(csvHead().slice(1)).map((title, index) => [title, cells[index] ?? '']))
}

test('the head begins with the mark that Excel needs', () => {
  expect(csvHead()).toBe(
    '\ufeff"Date","UTC offset","Payment ID","Transaction ID","Status","Reason","Method","Method reference","Amount","Captured","Fee","Refunded","Reversed","Net","Currency","Purpose","Reference","Application","Customer name","Customer phone","Customer email","Updated","Updated UTC offset"\r\n',
  )
})

test('a row has quoted texts, and plain amounts and times, the currency and the offset beside them', () => {
  expect(row()).toBe(
    '2026-11-20 11:30:00,"UTC+02:00","pay_01h455vb4pex5vsknk084sn02q","txn_01h455vb4pex5vsknk084sn02q","COMPLETED",,"ecocash","MP1",1234.50,1234.50,,0.00,0.00,,"USD","Basket",,"Shop",,,,2026-11-20 11:30:00,"UTC+02:00"\r\n',
  )
})

test.each([
  ['Africa/Harare', '2026-10-31T22:30:00Z', '2026-11-01 00:30:00', 'UTC+02:00'],
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-20 00:00:00', 'UTC+00:00'],
  ['Asia/Kolkata', '2026-11-20T09:30:00Z', '2026-11-20 15:00:00', 'UTC+05:30'],
  ['Europe/London', '2026-10-25T00:30:00Z', '2026-10-25 01:30:00', 'UTC+01:00'],
  ['Europe/London', '2026-10-25T01:30:00Z', '2026-10-25 01:30:00', 'UTC+00:00'],
  ['America/New_York', '2026-11-20T04:59:59Z', '2026-11-19 23:59:59', 'UTC-05:00'],
])('in %s, %s is %s %s', (timeZone, time, local, offset) => {
  const createdAt = new Date(time)
  expect(cellsOf(row({ createdAt }, timeZone))).toMatchObject({ Date: local, 'UTC offset': offset })
})

test('the net amount is the captured one less the fee and the refunds', () => {
  const fee = money(4321n, 'USD')
  expect(cellsOf(row({ fee }))).toMatchObject({ Captured: '1234.50', Fee: '43.21', Net: '1191.29' })
  const refunded = money(100_000n, 'USD')
  expect(cellsOf(row({ fee, refunded }))).toMatchObject({ Refunded: '1000.00', Net: '191.29' })
  expect(cellsOf(row({ fee, refunded: money(123_450n, 'USD') }))).toMatchObject({ Net: '-43.21' })
  const reversed = { refunded, reversed: money(23_450n, 'USD') }
  expect(cellsOf(row({ fee, ...reversed }))).toMatchObject({ Reversed: '234.50', Net: '-43.21' })
})

describe('a text that a spreadsheet may run is defused:', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1+1', "' =1+1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\uff1d1', "'\uff1d1"],
    ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
    ['x\t=1+1', "x\t'=1+1"],
    ['x, =1+1', "x,' =1+1"],
    ['x\n=1+1', "x\n'=1+1"],
    ['+A1', "'+A1"],
  ])('%j', (description, written) => {
    expect(cellsOf(row({ description })).Purpose).toBe(written)
  })

  test('in every cell of a text, which is quoted', () => {
    const formula = '=HYPERLINK("x","y")'
    const customer = { id: null, email: null, name: formula, phone: null }
    const written = row({ customer, description: formula, reference: formula, providerReference: formula })
    expect(written.match(/"'=HYPERLINK\(""x"",""y""\)"/g)).toHaveLength(4)
  })
})

test.each([
  '+263771234567',
  '+263 77 123 4567',
  '077 123 4567',
  '+1001',
  '0012',
  '0771234567',
  '100000123456789012345',
  '3E5',
  'a "b", c',
  'one;two',
  "O'Neil",
  '2026-11-20',
])('the phone number or reference %j is read again as it was written', (text) => {
  const customer = { id: null, email: null, name: text, phone: text }
  expect(cellsOf(row({ customer, reference: text }))).toMatchObject({
    Reference: text,
    'Customer phone': text,
    'Customer name': text,
  })
})
