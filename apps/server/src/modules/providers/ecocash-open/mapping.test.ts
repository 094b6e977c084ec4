import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { suffixFrom } from '../../../platform/typeid.ts'
import { parseObject } from '../json.ts'
import { referenceOf } from './bodies.ts'
import { accepted, toOutcome, toRefundReply, toReply } from './mapping.ts'
import { lookupRefund } from './refunds.ts'
import { Transaction } from './wire.ts'

const reference = '01936eee-0000-4000-8000-00000000002a'
const found = {
  amount: { amount: 12.5, currency: 'USD' },
  customerMsisdn: '263771000001',
  reference,
  ecocashReference: 'MP261120.0915.A00042',
  status: 'SUCCESS',
  transactionDateTime: '2026-11-20 09:15:41',
}
const replyTo = (body: object) => toReply(Transaction.parse(parseObject(JSON.stringify(body))), reference)

test.each([
  ['SUCCESS', 'completed'],
  ['success', 'completed'],
  ['COMPLETED', 'completed'],
  ['PENDING_VALIDATION', 'pending'],
  ['PENDING VALIDATION', 'pending'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
  ['REJECTED', 'failed'],
  ['PENDING', 'pending'],
  ['EXPIRED', 'pending'],
  ['REFUNDED', 'pending'],
  ['200', 'pending'],
  ['constructor', 'pending'],
  ['', 'pending'],
  [null, 'pending'],
])('the status %j is %s', (status, outcome) => {
  expect(toOutcome(status)).toBe(outcome)
  expect(replyTo({ ...found, status }).outcome).toBe(outcome)
  expect(replyTo({ ...found, status: null, transactionStatus: status }).outcome).toBe(outcome)
})

test('a look-up has the amount, the reference of the wallet and the status', () => {
  expect(replyTo(found)).toEqual({
    kind: 'reply',
    outcome: 'completed',
    providerStatus: 'SUCCESS',
    providerReference: 'MP261120.0915.A00042',
    state: {},
    echo: money(1250n, 'USD'),
    reason: null,
  })
})

test('a reply to a payment has amount and currency side by side, and any field may be null', () => {
  const body = {
    sourceReference: reference,
    transactionStatus: 'COMPLETED',
    amount: 12.5,
    currency: 'ZiG',
    ecocashReference: null,
    responseMessage: null,
  }
  expect(replyTo(body)).toMatchObject({
    outcome: 'completed',
    echo: money(1250n, 'ZWG'),
    providerReference: null,
  })
  expect(replyTo({ ...body, amount: null })).toMatchObject({ outcome: 'completed', echo: null })
  expect(replyTo({})).toMatchObject({ outcome: 'pending', echo: null })
  expect(accepted).toMatchObject({ outcome: 'pending', echo: null })
})

test.each([
  ['FAILED', null, 'declined'],
  ['REJECTED', null, 'declined'],
  ['CANCELLED', null, 'user_cancelled'],
  ['FAILED', 'Insufficient balance', 'insufficient_funds'],
])('%s with the sentence %j is %s', (status, responseMessage, reason) => {
  expect(replyTo({ ...found, status, responseMessage }).reason).toBe(reason)
})

describe('an untrustworthy paid reply is refused', () => {
  test.each([
    ['about another payment', { reference: '01936eee-0000-4000-8000-00000000002b' }],
    ['in an unknown currency', { amount: { amount: 12.5, currency: 'XYZ' } }],
    ['with an unreadable amount', { amount: { amount: 'twelve', currency: 'USD' } }],
    ['with a part of a cent', { amount: { amount: 12.505, currency: 'USD' } }],
  ])('%s', (_name, change) => {
    expect(() => replyTo({ ...found, ...change })).toThrow(expect.objectContaining({ kind: 'unknown' }))
  })
})

test('a reference is a UUID of version 4 that differs from the key by its version alone', () => {
  const key = suffixFrom('01936eee-0000-7abc-9def-00000000002a')
  expect(referenceOf(key)).toBe('01936eee-0000-4abc-9def-00000000002a')
})

test.each([
  ['COMPLETED', 'completed'],
  ['PENDING_VALIDATION', 'pending'],
  ['FAILED', 'held'],
  ['REJECTED', 'held'],
  ['Sxkz', 'pending'],
])('a refund with the status %s is %s', (transactionStatus, outcome) => {
  const body = { sourceReference: reference, transactionStatus, amount: 12.5, currency: 'USD' }
  const read = Transaction.parse(parseObject(JSON.stringify(body)))
  expect(toRefundReply(read, 'other', reference)).toMatchObject({
    outcome,
    echo: money(1250n, 'USD'),
    reason: null,
  })
})

test('a look-up of a refund is held: EcoCash has none', async () => {
  expect(await lookupRefund()).toMatchObject({ outcome: 'held', echo: null })
})
