import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { chargeRequest } from '../fixtures.ts'
import type { Owner } from './config.ts'
import { toChargeReply, toLookupReply, toOutcome } from './mapping.ts'
import { signedBody } from './wire.ts'

const owner: Owner = { id: '1201', key: 'a-key', currency: 'USD' }
const expected = { key: 'key1', state: { currency: 'USD' } }
const pollurl = 'https://www.paynow.co.zw/Interface/CheckPayment/?guid=abc'

const signed = (fields: Record<string, string>, key = owner.key): string =>
  signedBody(Object.entries(fields), key)
const status = (change: Record<string, string> = {}) => ({
  reference: 'key1',
  paynowreference: '77001',
  amount: '12.50',
  status: 'Paid',
  pollurl,
  ...change,
})
const lookUp = (change: Record<string, string> = {}) => toLookupReply(signed(status(change)), owner, expected)

describe('the status', () => {
  test.each([
    ['Created', 'pending'],
    ['Sent', 'pending'],
    ['Paid', 'completed'],
    ['Awaiting Delivery', 'completed'],
    ['AwaitingDelivery', 'completed'],
    ['Delivered', 'completed'],
    ['Cancelled', 'failed'],
    ['Failed', 'failed'],
    ['Disputed', 'reversed'],
    ['Refunded', 'refunded'],
    ['paid', 'completed'],
    ['Message', 'pending'],
    ['Success', 'pending'],
    ['constructor', 'pending'],
    ['', 'pending'],
  ])('%j: %s', (word, outcome) => {
    expect(toOutcome(word)).toBe(outcome)
  })
})

describe('a look-up', () => {
  test('reports amount, reference and reason', () => {
    expect(lookUp()).toMatchObject({
      outcome: 'completed',
      providerReference: '77001',
      providerStatus: 'Paid',
      echo: money(1250n, 'USD'),
      state: { currency: 'USD', pollUrl: pollurl },
      reason: null,
    })
    expect(lookUp({ status: 'Cancelled' })).toMatchObject({ outcome: 'failed', reason: 'user_cancelled' })
    expect(lookUp({ status: 'Failed' })).toMatchObject({ outcome: 'failed', reason: 'declined' })
    expect(lookUp({ status: 'Disputed' })).toMatchObject({ outcome: 'reversed', echo: money(1250n, 'USD') })
    expect(lookUp({ status: 'Sent', amount: '' })).toMatchObject({ outcome: 'pending', echo: null })
  })

  test.each<[string, string]>([
    ['another key', signed(status(), 'another-key')],
    ['no hash', new URLSearchParams(status()).toString()],
    ['an amount that is none', signed(status({ amount: 'twelve' }))],
    ['no amount', signed(status({ amount: '' }))],
    ['another charge', signed(status({ reference: 'key2' }))],
    ['an error', 'Status=Error&Error=Please+try+again+later.'],
    ['a page', '<html></html>'],
    ['nothing', ''],
  ])('is unknown after an answer with %s', (_name, text) => {
    expect(() => toLookupReply(text, owner, expected)).toThrow(expect.objectContaining({ kind: 'unknown' }))
  })

  test.each(['Invalid Id.', 'Invalid Hash. Hash should start with: A1B2'])(
    'refuses the credentials with the error %s',
    (error) => {
      const text = new URLSearchParams({ Status: 'Error', Error: error }).toString()
      expect(() => toLookupReply(text, owner, expected)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    },
  )

  test('is not found only by the status NotFound, whose hash is right if it has one', () => {
    expect(toLookupReply('Status=NotFound', owner, expected)).toEqual({ kind: 'not_found' })
    expect(toLookupReply(signed({ status: 'NotFound' }), owner, expected)).toEqual({ kind: 'not_found' })
    expect(() => toLookupReply(signed({ status: 'NotFound' }, 'other'), owner, expected)).toThrow('hash')
  })
})

describe('a charge', () => {
  const started = (change: Record<string, string> = {}) =>
    signed({ Status: 'Ok', PollUrl: pollurl, ...change })

  test.each<[string, Record<string, string>, object]>([
    ['ecocash', {}, { type: 'wait_for_push' }],
    ['onemoney', {}, { type: 'wait_for_push' }],
    ['innbucks', { AuthorizationCode: '701234567' }, { type: 'show_code', code: '701234567' }],
    [
      'visa',
      { BrowserUrl: 'https://www.paynow.co.zw/p/1' },
      { type: 'redirect', url: 'https://www.paynow.co.zw/p/1' },
    ],
  ])('by %s is pending, with its next step', (method, change, next) => {
    const reply = toChargeReply(started(change), owner, chargeRequest({ method: method as 'visa' }))
    expect(reply).toMatchObject({ outcome: 'pending', next, state: { currency: 'USD', pollUrl: pollurl } })
  })

  test.each<[string, string, string, string?]>([
    ['Insufficient balance', 'ecocash', 'declined', 'insufficient_funds'],
    ['Invalid id.', 'ecocash', 'invalid'],
    ['Invalid amount field', 'ecocash', 'invalid'],
    ['Duplicate merchant trace', 'ecocash', 'unknown'],
    ['An error occurred while processing your request', 'ecocash', 'unknown'],
    ['', 'ecocash', 'unknown'],
  ])('refused with %j', (sentence, method, kind, reason = null as never) => {
    const text = new URLSearchParams({ Status: 'Error', Error: sentence }).toString()
    expect(() => toChargeReply(text, owner, chargeRequest({ method: method as 'ecocash' }))).toThrow(
      expect.objectContaining({ kind, reason }),
    )
  })

  test.each<[string, string, string]>([
    ['a wrong hash', 'ecocash', signed({ status: 'Ok', pollurl }, 'other')],
    ['no hash', 'ecocash', 'status=Ok'],
    ['no code', 'innbucks', started()],
    ['no page', 'visa', started()],
    ['a page in the clear', 'visa', started({ BrowserUrl: 'http://paynow.example/p/1' })],
    ['a page that is a script', 'visa', started({ BrowserUrl: 'javascript:alert(1)' })],
    ['nothing', 'ecocash', ''],
  ])('is unknown after an answer with %s', (_name, method, text) => {
    expect(() => toChargeReply(text, owner, chargeRequest({ method: method as 'visa' }))).toThrow(
      expect.objectContaining({ kind: 'unknown' }),
    )
  })
})
