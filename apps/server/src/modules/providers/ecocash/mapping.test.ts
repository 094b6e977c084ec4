import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { parseObject } from '../json.ts'
import { configFor, legacy, portal } from './fixtures.ts'
import { toOutcome, toReply } from './mapping.ts'
import { AmountTransaction, isAllNull } from './wire.ts'

const config = configFor('http://gateway.test')
const read = (body: unknown, withConfig = config) =>
  toReply(withConfig, AmountTransaction.parse(parseObject(JSON.stringify(body))), {
    key: 'key1',
    state: { shopName: 'Shop' },
  })

describe('refuses to believe', () => {
  test.each([
    ['an answer about another transaction', legacy({ clientCorrelator: 'key2' })],
    ['a paid amount with a third decimal', legacy({ transactionOperationStatus: 'COMPLETED' }, 12.505)],
    ['a paid amount in words', legacy({ transactionOperationStatus: 'COMPLETED' }, 'twelve')],
    ['a negative paid amount', legacy({ transactionOperationStatus: 'COMPLETED' }, -12.5)],
    [
      'a paid amount in a currency that is no more',
      legacy({ transactionOperationStatus: 'COMPLETED' }, 12.5, 'ZWL'),
    ],
    ['a paid amount without currency', portal({ status: 'SUCCESS', currency: null })],
  ])('%s', (_name, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'unknown' }))
  })

  test.each(['SUCCEEDED', 'PAID', 'Success!', 'constructor', '', '7'])('the status %j', (word) => {
    expect(toOutcome(word)).toBe('pending')
  })

  test.each(['REVERSED', 'Reversed', 'reversed '])('that a charge stays paid after the status %j', (word) => {
    expect(toOutcome(word)).toBe('reversed')
    const reported = read(legacy({ transactionOperationStatus: word }))
    expect(reported).toMatchObject({ outcome: 'reversed', echo: { minor: 1250n, currency: 'USD' } })
  })

  test('a missing or empty status', () => {
    expect(read(legacy({ transactionOperationStatus: null })).outcome).toBe('pending')
    expect(read(portal({ status: { code: 'SUCCESS' } })).outcome).toBe('pending')
  })

  test('a message that calls a pending charge successful', () => {
    expect(read(portal()).outcome).toBe('pending')
  })
})

describe('outcomes', () => {
  test.each([
    ['PENDING SUBSCRIBER VALIDATION', 'pending'],
    ['PENDING_SUBSCRIBER_VALIDATION', 'pending'],
    ['Processing Charge', 'pending'],
    ['Charged', 'pending'],
    ['CHARGED', 'pending'],
    ['COMPLETED', 'completed'],
    [' completed ', 'completed'],
    ['SUCCESS', 'completed'],
    ['FAILED', 'failed'],
    ['REFUNDED', 'refunded'],
  ])('%j is %s', (word, outcome) => {
    expect(toOutcome(word)).toBe(outcome)
  })

  test('the legacy form, paid', () => {
    const paid = { transactionOperationStatus: 'COMPLETED', ecocashReference: 'MP261120.0915.A00042' }
    expect(read(legacy(paid))).toEqual({
      kind: 'reply',
      outcome: 'completed',
      providerStatus: 'COMPLETED',
      providerReference: 'MP261120.0915.A00042',
      state: { shopName: 'Shop', reference: 'MP261120.0915.A00042' },
      echo: money(1250n, 'USD'),
      reason: null,
    })
  })

  test('the portal form, paid', () => {
    expect(read(portal({ status: 'SUCCESS', amount: '12.50' }))).toMatchObject({
      outcome: 'completed',
      providerStatus: 'SUCCESS: Transaction Successful',
      providerReference: 'MP261120.0915.A00042',
      echo: money(1250n, 'USD'),
    })
  })

  test('paid without an amount: no echo, which the caller interprets', () => {
    const body = { clientCorrelator: 'key1', transactionOperationStatus: 'COMPLETED' }
    expect(read(body)).toMatchObject({ outcome: 'completed', echo: null, providerReference: null })
  })

  test.each([
    ['USD-FCA', 'USD'],
    ['840', 'USD'],
    ['ZiG', 'ZWG'],
    ['924', 'ZWG'],
    ['Dollars', 'USD'],
  ])('currency %s is %s', (code, currency) => {
    const body = legacy({ transactionOperationStatus: 'COMPLETED' }, 1, code)
    const own = configFor('http://gateway.test', { currencyCodes: { USD: 'Dollars' } })
    expect(read(body, own).echo).toEqual(money(100n, currency as 'USD'))
  })
})

test('a failure without a known reason is just declined', () => {
  expect(read(legacy({ transactionOperationStatus: 'FAILED' })).reason).toBe('declined')
  expect(read(portal({ status: 'FAILED', statusMessage: 'Wrong PIN' })).reason).toBe('wrong_pin')
})

test('all-null means that every leaf is, and that there is one', () => {
  expect(isAllNull({ a: null, b: { c: null, d: {} } })).toBe(true)
  expect(isAllNull({})).toBe(false)
  expect(isAllNull({ a: null, b: { c: '' } })).toBe(false)
})
