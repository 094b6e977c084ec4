import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { parseObject } from '../json.ts'
import {
  type IssuedCode,
  isApproved,
  plainCode,
  readLife,
  readState,
  stateOf,
  toIssued,
  toOutcome,
  toReply,
} from './mapping.ts'
import { CodeReply } from './wire.ts'

const now = new Date('2026-11-20T09:15:30Z')
const issued: IssuedCode = { code: '701234567', authNumber: '500001', currency: 'USD', expiresAt: null }
const read = (body: object) => CodeReply.parse(parseObject(JSON.stringify(body)))
const inquiry = (change: object = {}, of = issued) =>
  toReply(
    read({
      responseCode: 0,
      code: '701234567',
      amount: '1250',
      status: 'New',
      timeToLive: '540sec',
      ...change,
    }),
    of,
    now,
  )

describe('a status', () => {
  test.each([
    ['New', 'pending'],
    ['NEW', 'pending'],
    ['Claimed', 'completed'],
    [' claimed ', 'completed'],
    ['Paid', 'completed'],
    ['Expired', 'failed'],
    ['Timed Out', 'failed'],
    ['TIMED_OUT', 'failed'],
    ['Pending', 'pending'],
    ['Declined', 'pending'],
    ['Failed', 'pending'],
    ['Cancelled', 'pending'],
    ['Success', 'pending'],
    ['constructor', 'pending'],
    ['', 'pending'],
    [null, 'pending'],
  ])('%j is %s', (status, outcome) => {
    expect(toOutcome(status)).toBe(outcome)
    expect(inquiry({ status }).outcome).toBe(outcome)
  })

  test('of a failure is the expiry of the code', () => {
    expect(inquiry({ status: 'Expired' }).reason).toBe('expired')
    expect(inquiry({ status: 'Timed Out' }).reason).toBe('expired')
    expect(inquiry({ status: 'Claimed' }).reason).toBeNull()
  })
})

test.each([
  ['0', true],
  ['00', true],
  ['000', true],
  ['', false],
  ['1', false],
  ['09', false],
  ['0 OK', false],
  [null, false],
])('the response code %j is an approval: %s', (code, approved) => {
  expect(isApproved(code)).toBe(approved)
})

test.each([
  ['96', '96'],
  ['096', '96'],
  ['25', '25'],
  ['00', '0'],
  [null, null],
])('the response code %j is read as %j', (code, plain) => {
  expect(plainCode(code)).toBe(plain)
})

test.each([
  ['540sec', 540_000],
  ['540 secs', 540_000],
  ['0sec', 0],
  ['60s', 60_000],
  ['9 minutes', null],
  ['540', null],
  ['-1sec', null],
  ['', null],
  [null, null],
])('the life %j is %j milliseconds', (text, life) => {
  expect(readLife(text)).toBe(life)
})

describe('the amount of an inquiry', () => {
  test.each([['1250'], [1250], [' 1250 ']])('%j is 1250 cents of the account', (amount) => {
    expect(inquiry({ amount, status: 'Paid' }).echo).toEqual(money(1250n, 'USD'))
  })

  test('that is missing is passed on as missing', () => {
    expect(inquiry({ amount: null, status: 'Paid' })).toMatchObject({ outcome: 'completed', echo: null })
  })

  test.each(['12.50', '-1', '1e3', 'USD 12', '9'.repeat(16)])(
    '%j of a paid code is not trusted',
    (amount) => {
      expect(() => inquiry({ amount, status: 'Claimed' })).toThrow(
        expect.objectContaining({ kind: 'unknown' }),
      )
    },
  )
})

test('a reply about another code is not trusted', () => {
  expect(() => inquiry({ code: '701234568', status: 'Claimed' })).toThrow(
    expect.objectContaining({ kind: 'unknown' }),
  )
})

describe('the step of the payer', () => {
  const made = (change: object = {}) =>
    toIssued(read({ responseCode: 0, code: '701234567', authNumber: '500001', amount: '1250', ...change }), {
      minor: 1250n,
      currency: 'USD',
    })

  test('shows the code, its QR text and both addresses of the app', () => {
    expect(made()).toMatchObject({
      outcome: 'pending',
      providerReference: '500001',
      echo: money(1250n, 'USD'),
      next: {
        type: 'show_code',
        code: '701234567',
        qr: '701234567',
        links: [
          { url: 'com.innbucks.customer://purchase?paymentToken=701234567' },
          { url: 'schinn.wbpycode://innbucks.co.zw?pymInnCode=701234567' },
        ],
        expiresAt: null,
      },
    })
  })

  test('ends at the time of the first inquiry, which later ones keep', () => {
    const first = inquiry()
    expect(first.next).toMatchObject({ type: 'show_code', expiresAt: '2026-11-20T09:24:30.000Z' })
    const known = readState(first.state)
    expect(known).toEqual({ ...issued, expiresAt: '2026-11-20T09:24:30.000Z' })
    const second = inquiry({ timeToLive: '530sec' }, known ?? issued)
    expect(second.state).toEqual(first.state)
    expect(second.next).toBeUndefined()
    expect(inquiry({ status: 'Claimed' }).next).toBeUndefined()
  })

  test.each([
    ['no code', { code: null }],
    ['an empty code', { code: '' }],
    ['no number of the authorisation', { authNumber: null }],
    ['another amount', { amount: '1251' }],
    ['an unreadable amount', { amount: '12.50' }],
    ['a refusal', { responseCode: 96 }],
    ['no response code', { responseCode: null }],
  ])('is missing after an answer with %s', (_name, change) => {
    expect(made(change)).toBeNull()
  })
})

test.each([
  [null],
  [{}],
  [{ ...issued, code: null }],
  [{ ...issued, currency: 'ZAR' }],
  [{ ...issued, authNumber: 1 }],
])('a state %j has no code', (state) => {
  expect(readState(state)).toBeNull()
  expect(readState(stateOf(issued))).toEqual(issued)
})
