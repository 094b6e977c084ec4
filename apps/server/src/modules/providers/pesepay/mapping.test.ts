import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { parseObject } from '../json.ts'
import { meaningOf, statusPath, toInitiated, toLookupReply } from './mapping.ts'
import { encrypt, openEnvelope, Payment } from './wire.ts'

const baseUrl = 'https://api.pesepay.com/api/payments-engine'
const pollUrl = `${baseUrl}/v1/payments/check-payment?referenceNumber=R1`
const expected = { key: 'key1', state: { reference: 'R1' } }
const read = (body: object) => Payment.parse(parseObject(JSON.stringify(body)))
const result = (change: object = {}) =>
  read({
    referenceNumber: 'R1',
    merchantReference: 'key1',
    transactionStatus: 'SUCCESS',
    amountDetails: { amount: 12.5, currencyCode: 'USD', merchantAmount: 12.5, customerPayableAmount: 12.75 },
    ...change,
  })

describe('the envelope', () => {
  const key = '0123456789abcdef0123456789abcdef'
  const plain = '{"amountDetails":{"amount":10,"currencyCode":"USD"},"reasonForPayment":"Test"}'
  const payload =
    'wfK2XoQnisIu25dNtJitRvnVqvWD3u9Y8gfiQGuDvtvdsvm9KvGLnZJjwr9eTRsNK2OCcenY8EiO4CPTCwgaNKwJPntG4g63LXrbq0a/Img='

  test('is AES-256-CBC with the start of the key as the initialisation vector', () => {
    expect(encrypt(plain, key)).toBe(payload)
    expect(openEnvelope(JSON.stringify({ payload }), key)).toEqual({
      amountDetails: { amount: '10', currencyCode: 'USD' },
      reasonForPayment: 'Test',
    })
  })

  test.each([
    ['another key', JSON.stringify({ payload: encrypt(plain, key.toUpperCase()) })],
    ['no payload', '{"referenceNumber":"R1"}'],
    ['an empty payload', '{"payload":""}'],
    ['half a payload', JSON.stringify({ payload: payload.slice(0, 30) })],
    ['a text that is no object', JSON.stringify({ payload: encrypt('"SUCCESS"', key) })],
    ['a page', '<html></html>'],
  ])('with %s is not opened', (_name, text) => {
    expect(openEnvelope(text, key)).toBeNull()
  })
})

test.each([
  ['INITIATED', 'pending', null],
  ['PROCESSING', 'pending', null],
  ['PENDING', 'pending', null],
  ['PARTIALLY_PAID', 'held', null],
  ['SUCCESS', 'completed', null],
  ['REVERSED', 'reversed', null],
  ['FAILED', 'failed', 'declined'],
  ['TERMINATED', 'failed', 'declined'],
  ['TIME_OUT', 'failed', 'expired'],
  ['CLOSED', 'failed', 'declined'],
  ['CLOSED_PERIOD_ELAPSED', 'failed', 'expired'],
  ['INSUFFICIENT_FUNDS', 'failed', 'insufficient_funds'],
  ['CANCELLED', 'failed', 'user_cancelled'],
  ['ERROR', 'failed', 'declined'],
  ['DECLINED', 'failed', 'declined'],
  ['AUTHORIZATION_FAILED', 'failed', 'declined'],
  ['SERVICE_UNAVAILABLE', 'failed', 'declined'],
  ['PAID', 'pending', null],
  ['constructor', 'pending', null],
  ['', 'pending', null],
  [null, 'pending', null],
])('the status %j is %s', (status, outcome, reason) => {
  expect(meaningOf(status)).toEqual({ outcome, reason })
})

describe('a look-up', () => {
  test('reports the amount of the merchant, without fees', () => {
    expect(toLookupReply(result(), expected)).toMatchObject({
      outcome: 'completed',
      providerStatus: 'SUCCESS',
      providerReference: 'R1',
      echo: money(1250n, 'USD'),
      state: { reference: 'R1' },
    })
  })

  test.each([
    ['ZiG', 'ZWG'],
    ['ZIG', 'ZWG'],
    ['ZWG', 'ZWG'],
  ] as const)('reads the currency %s', (currencyCode, currency) => {
    const reply = toLookupReply(result({ amountDetails: { currencyCode, merchantAmount: 12.5 } }), expected)
    expect(reply.echo).toEqual(money(1250n, currency))
  })

  test.each([
    ['nobody', 12.5, 12.5],
    ['the payer', 12.5, 12.74],
    ['the merchant', 12.26, 12.5],
    ['both', 12.38, 12.62],
  ] as const)(
    'reads the requested amount, whether the fee is borne by %s',
    (_bearer, merchantAmount, customerPayableAmount) => {
      const amountDetails = { currencyCode: 'USD', amount: 12.5, merchantAmount, customerPayableAmount }
      expect(toLookupReply(result({ amountDetails }), expected).echo).toEqual(money(1250n, 'USD'))
    },
  )

  test.each([
    [0.24, '0.24'],
    [0, '0.00'],
    [undefined, undefined],
    ['unknown', undefined],
  ])('keeps the fee of Pesepay that a paid answer names as %s', (transactionServiceFee, serviceFee) => {
    const amountDetails = { currencyCode: 'USD', amount: 12.5, merchantAmount: 12.26, transactionServiceFee }
    expect(toLookupReply(result({ amountDetails }), expected).state).toEqual({
      ...expected.state,
      ...(serviceFee && { serviceFee }),
    })
    expect(toLookupReply(result({ amountDetails, transactionStatus: 'PENDING' }), expected).state).toEqual(
      expected.state,
    )
  })

  test('names the method that the payer has chosen at the page', () => {
    const named = (paymentMethodName: string) =>
      toLookupReply(result({ paymentMethodDetails: { paymentMethodName } }), expected).method
    expect(['EcoCash USD', 'Visa', 'Something new'].map(named)).toEqual(['ecocash', 'visa', undefined])
  })

  test('keeps the known reference when the reply has none', () => {
    expect(toLookupReply(result({ referenceNumber: null }), expected)).toMatchObject({
      providerReference: 'R1',
      state: { reference: 'R1' },
    })
  })

  test.each<[string, object]>([
    ['another reference', { referenceNumber: 'R2' }],
    ['another key', { merchantReference: 'key2' }],
    ['no status', { transactionStatus: null }],
    ['no amount', { amountDetails: null }],
    ['only an amount with fees', { amountDetails: { customerPayableAmount: 12.75, currencyCode: 'USD' } }],
    ['another currency', { amountDetails: { currencyCode: 'ZAR', merchantAmount: 12.5 } }],
    ['a reversal without an amount', { transactionStatus: 'REVERSED', amountDetails: null }],
  ])('with %s is not trusted', (_name, change) => {
    expect(() => toLookupReply(result(change), expected)).toThrow(
      expect.objectContaining({ kind: 'unknown' }),
    )
  })
})

describe('a new payment', () => {
  const started = (change: object = {}) =>
    read({ referenceNumber: 'R1', pollUrl, redirectUrl: 'https://pay.pesepay.com/p/1', ...change })

  test('leads to the page of Pesepay', () => {
    expect(toInitiated(started(), baseUrl)).toMatchObject({
      outcome: 'pending',
      providerReference: 'R1',
      state: { reference: 'R1' },
      next: { type: 'redirect', url: 'https://pay.pesepay.com/p/1' },
    })
  })

  test('has its reference in the address of the status when the field is empty', () => {
    const reply = toInitiated(started({ referenceNumber: null }), baseUrl)
    expect(reply).toMatchObject({ providerReference: 'R1', state: { reference: 'R1' } })
  })

  test('without a reference is looked up at the address of its status', () => {
    const reply = toInitiated(started({ referenceNumber: null, pollUrl: `${baseUrl}/v1/poll/9` }), baseUrl)
    expect(reply?.providerReference).toBeNull()
    expect(statusPath(reply?.state ?? null, baseUrl)).toBe('/v1/poll/9')
  })

  test.each<[string, object]>([
    ['no page', { redirectUrl: null }],
    ['a page in the clear', { redirectUrl: 'http://pay.example/p/1' }],
    ['a page that is a script', { redirectUrl: 'javascript:alert(1)' }],
    ['neither a reference nor an address', { referenceNumber: null, pollUrl: null }],
    ['a status elsewhere', { referenceNumber: null, pollUrl: 'https://elsewhere.example/v1/poll/9' }],
    ['a status outside the engine', { referenceNumber: null, pollUrl: 'https://api.pesepay.com/admin' }],
  ])('with %s cannot be paid', (_name, change) => {
    expect(toInitiated(started(change), baseUrl)).toBeNull()
  })
})
