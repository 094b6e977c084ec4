import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { parseObject } from '../json.ts'
import { configFor, order, transaction } from './fixtures.ts'
import { chargeReply, refundReply, unpaidReply, VOID } from './mapping.ts'
import { mappedCodes, meaningOf } from './results.ts'
import { nextStep } from './steps.ts'
import { Order, Transaction } from './wire.ts'

const now = new Date('2026-11-22T10:00:00Z')
const state = { session: 'SESSION1', expiresAt: now.getTime() + 60_000 }
const parsed = (body: object) => parseObject(JSON.stringify(body))
const read = (body: object) => chargeReply(Order.parse(parsed(body)), { key: 'key1', state, now })
const paid = transaction('APPROVED', 'SUCCESS')
const paidOrder = (change: Record<string, unknown> = {}) => order([paid], change)

/** Every code that the gateway documents, with the result beside it. */
type Row = [code: string, result: string, outcome: string, reason?: string]
const codes: Row[] = [
  ['APPROVED', 'SUCCESS', 'completed'],
  ['APPROVED_PENDING_SETTLEMENT', 'SUCCESS', 'completed'],
  ['APPROVED_AUTO', 'SUCCESS', 'held'],
  ['PARTIALLY_APPROVED', 'SUCCESS', 'held'],
  ['AUTHENTICATION_FAILED', 'FAILURE', 'failed', 'declined'],
  ['BLOCKED', 'FAILURE', 'failed', 'declined'],
  ['DECLINED', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_AVS', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_AVS_CSC', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_CSC', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_DO_NOT_CONTACT', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_INVALID_PIN', 'FAILURE', 'failed', 'wrong_pin'],
  ['DECLINED_PAYMENT_PLAN', 'FAILURE', 'failed', 'declined'],
  ['DECLINED_PIN_REQUIRED', 'FAILURE', 'failed', 'declined'],
  ['EXCEEDED_RETRY_LIMIT', 'FAILURE', 'failed', 'declined'],
  ['EXPIRED_CARD', 'FAILURE', 'failed', 'declined'],
  ['INSUFFICIENT_FUNDS', 'FAILURE', 'failed', 'insufficient_funds'],
  ['INVALID_CSC', 'FAILURE', 'failed', 'declined'],
  ['NOT_ENROLLED_3D_SECURE', 'FAILURE', 'failed', 'declined'],
  ['REFERRED', 'FAILURE', 'failed', 'declined'],
  ['UNSPECIFIED_FAILURE', 'FAILURE', 'failed', 'declined'],
  ['ABORTED', 'FAILURE', 'failed', 'user_cancelled'],
  ['CANCELLED', 'FAILURE', 'failed', 'user_cancelled'],
  ['DUPLICATE_BATCH', 'FAILURE', 'failed', 'declined'],
  ['NOT_SUPPORTED', 'FAILURE', 'failed', 'declined'],
  ['AUTHENTICATION_IN_PROGRESS', 'PENDING', 'pending'],
  ['DEFERRED_TRANSACTION_RECEIVED', 'PENDING', 'pending'],
  ['PENDING', 'PENDING', 'pending'],
  ['SUBMITTED', 'PENDING', 'pending'],
  ['ACQUIRER_SYSTEM_ERROR', 'FAILURE', 'pending'],
  ['LOCK_FAILURE', 'FAILURE', 'pending'],
  ['SYSTEM_ERROR', 'FAILURE', 'pending'],
  ['TIMED_OUT', 'UNKNOWN', 'pending'],
  ['UNKNOWN', 'UNKNOWN', 'pending'],
  ['BALANCE_AVAILABLE', 'SUCCESS', 'pending'],
  ['BALANCE_UNKNOWN', 'SUCCESS', 'pending'],
  ['NO_BALANCE', 'FAILURE', 'pending'],
  ['BASIC_VERIFICATION_SUCCESSFUL', 'SUCCESS', 'pending'],
  ['EXTERNAL_VERIFICATION_BLOCKED', 'FAILURE', 'pending'],
  ['EXTERNAL_VERIFICATION_DECLINED', 'FAILURE', 'pending'],
  ['EXTERNAL_VERIFICATION_DECLINED_AUTHENTICATION_REQUIRED', 'FAILURE', 'pending'],
  ['EXTERNAL_VERIFICATION_PROCESSING_ERROR', 'FAILURE', 'pending'],
  ['EXTERNAL_VERIFICATION_SUCCESSFUL', 'SUCCESS', 'pending'],
  ['NO_VERIFICATION_PERFORMED', 'SUCCESS', 'pending'],
]

describe('the code of a payment', () => {
  test.each<Row>(codes)('%s with %s is %s', (code, result, outcome, reason) => {
    const reply = read(order([transaction(code, result)]))
    expect(reply).toMatchObject({ outcome, reason: reason ?? null, providerStatus: code })
  })

  test.each(['APPROVED2', 'approved', 'PAID', 'constructor', '', 'toString'])('%j is pending', (code) => {
    expect(read(order([transaction(code, 'SUCCESS')])).outcome).toBe('pending')
    expect(read(order([transaction(code, 'FAILURE')])).outcome).toBe('pending')
  })

  test('has a row here whenever the connector gives it a meaning', () => {
    expect(mappedCodes.filter((code) => !codes.some(([row]) => row === code))).toEqual([])
  })

  test('counts only beside its own result', () => {
    for (const result of ['FAILURE', 'PENDING', 'UNKNOWN', 'ERROR', null])
      expect(meaningOf(result, 'APPROVED')).toEqual({ kind: 'open' })
    for (const result of ['SUCCESS', 'PENDING', 'UNKNOWN', 'ERROR', null])
      expect(meaningOf(result, 'DECLINED')).toEqual({ kind: 'open' })
    expect(meaningOf('SUCCESS', null)).toEqual({ kind: 'open' })
  })
})

describe('an order', () => {
  test('paid: the captured amount and the reference of the acquirer', () => {
    expect(read(paidOrder())).toEqual({
      kind: 'reply',
      outcome: 'completed',
      providerStatus: 'APPROVED',
      providerReference: '612345678901',
      state: { ...state, payment: '1', paidMinor: '1250', paidAt: now.getTime() },
      echo: money(1250n, 'USD'),
      reason: null,
    })
    expect(read(paidOrder({ totalCapturedAmount: '12.50' })).echo).toEqual(money(1250n, 'USD'))
  })

  test('paid with another amount or currency reports them', () => {
    expect(read(paidOrder({ totalCapturedAmount: 1 })).echo).toEqual(money(100n, 'USD'))
    expect(read(paidOrder({ currency: 'ZWG' })).echo).toEqual(money(1250n, 'ZWG'))
  })

  test.each([
    ['another id', { id: 'key2' }],
    ['no captured amount', { totalCapturedAmount: null }],
    ['nothing captured', { totalCapturedAmount: 0 }],
    ['a third decimal', { totalCapturedAmount: 12.505 }],
    ['an unknown currency', { currency: 'QQQ' }],
    ['an unreadable refund', { totalRefundedAmount: 'some' }],
  ])('paid with %s is not trusted', (_name, change) => {
    expect(() => read(paidOrder(change))).toThrow(expect.objectContaining({ kind: 'unknown' }))
  })

  test('held: the amount that was authorised', () => {
    const partial = order([transaction('PARTIALLY_APPROVED', 'SUCCESS')], { totalAuthorizedAmount: 5 })
    expect(read(partial)).toMatchObject({ outcome: 'held', echo: money(500n, 'USD') })
  })

  test('with several cards: an approval decides, then an open payment, then the last refusal', () => {
    const refused = transaction('DECLINED', 'FAILURE')
    const poor = transaction('INSUFFICIENT_FUNDS', 'FAILURE')
    const open = transaction('TIMED_OUT', 'UNKNOWN')
    expect(read(order([refused, paid, poor]))).toMatchObject({ outcome: 'completed' })
    expect(read(order([refused, open, poor]))).toMatchObject({ outcome: 'pending' })
    expect(read(order([refused, poor]))).toMatchObject({ outcome: 'failed', reason: 'insufficient_funds' })
  })

  test('returned: a refund, a chargeback and both', () => {
    const ten = money(1000n, 'USD')
    expect(read(paidOrder({ status: 'PARTIALLY_REFUNDED', totalRefundedAmount: 10 }))).toMatchObject({
      outcome: 'reversed',
      echo: ten,
      providerStatus: 'PARTIALLY_REFUNDED',
    })
    expect(read(paidOrder({ status: 'REFUNDED', totalRefundedAmount: 12.5 }))).toMatchObject({
      outcome: 'refunded',
      echo: money(1250n, 'USD'),
    })
    const chargeback = { amount: 2.5, currency: 'USD' }
    expect(read(paidOrder({ totalRefundedAmount: 10, chargeback }))).toMatchObject({
      outcome: 'reversed',
      echo: money(1250n, 'USD'),
    })
  })

  test('voided before settlement: reversed by its amount', () => {
    expect(read(paidOrder({ status: 'CANCELLED', totalCapturedAmount: 0 }))).toMatchObject({
      outcome: 'reversed',
      echo: money(1250n, 'USD'),
    })
  })

  test('without a payment: pending until the session is over, then expired; a refused authentication fails', () => {
    const authentication = (authenticationStatus: string) =>
      order([transaction('PENDING', 'PENDING', { type: 'AUTHENTICATION', authenticationStatus })], {
        status: 'AUTHENTICATION_INITIATED',
      })
    expect(read(authentication('AUTHENTICATION_PENDING')).outcome).toBe('pending')
    expect(read(authentication('AUTHENTICATION_FAILED'))).toMatchObject({
      outcome: 'failed',
      reason: 'declined',
    })
    const later = (minutes: number) =>
      unpaidReply(state, 'INITIATED', new Date(now.getTime() + minutes * 60_000))
    expect([later(0), later(10)].map(({ outcome }) => outcome)).toEqual(['pending', 'pending'])
    expect(later(12)).toMatchObject({ outcome: 'failed', reason: 'expired' })
    expect(unpaidReply({}, 'INITIATED', new Date('2030-01-01')).outcome).toBe('pending')
  })
})

describe('an authorised order', () => {
  const one = (code: string, result: string, type: string) =>
    transaction(code, result, { type, id: type.toLowerCase() })
  const authorised = one('APPROVED', 'SUCCESS', 'AUTHORIZATION')
  const refusedCapture = one('DECLINED', 'FAILURE', 'CAPTURE')
  const with_ = (...more: object[]) =>
    order([authorised, ...more], { status: 'AUTHORIZED', totalCapturedAmount: 0 })
  const stepOf = (body: object, isOver = false) =>
    nextStep(Order.parse(parsed(body)), { key: 'key1', state, isOver }, configFor('https://gateway.example'))

  test('is captured by the amount that was authorised, under an id of the attempt', () => {
    expect(read(with_())).toMatchObject({ outcome: 'pending', next: { type: 'wait_for_push' } })
    expect(stepOf(with_())).toEqual({
      id: 'key1-capture',
      body: { apiOperation: 'CAPTURE', transaction: { amount: '12.5', currency: 'USD' } },
    })
  })

  test('and captured is completed, and nothing more is sent', () => {
    const captured = order([authorised, one('APPROVED', 'SUCCESS', 'CAPTURE')])
    expect(read(captured)).toMatchObject({ outcome: 'completed', echo: money(1250n, 'USD'), state })
    expect(read(captured).state).toEqual(state)
    expect(stepOf(captured)).toBeNull()
  })

  test('whose capture is refused is voided, and failed after the void', () => {
    expect(read(with_(refusedCapture))).toMatchObject({ outcome: 'pending' })
    expect(stepOf(with_(refusedCapture))).toEqual({
      id: 'key1-void',
      body: { apiOperation: 'VOID', transaction: { targetTransactionId: 'authorization' } },
    })
    for (const [code, result, outcome] of [
      ['APPROVED', 'SUCCESS', 'failed'],
      ['DECLINED', 'FAILURE', 'failed'],
      ['TIMED_OUT', 'UNKNOWN', 'pending'],
    ] as const) {
      const voided = with_(refusedCapture, one(code, result, 'VOID_AUTHORIZATION'))
      expect(read(voided).outcome).toBe(outcome)
      expect(stepOf(voided)).toBeNull()
    }
  })

  test.each(codes.filter(([, , outcome]) => outcome === 'pending'))(
    'whose capture has the result %s with %s waits: neither captured again nor voided',
    (code, result) => {
      const open = with_(one(code, result, 'CAPTURE'))
      expect(read(open).outcome).toBe('pending')
      expect(stepOf(open)).toBeNull()
    },
  )

  test.each<Row>(codes.filter(([, , outcome]) => outcome !== 'completed'))(
    'by an authorisation with %s and %s: %s without a capture',
    (code, result, outcome) => {
      const body = order([one(code, result, 'AUTHORIZATION')], { totalCapturedAmount: 0 })
      expect(read(body).outcome).toBe(outcome)
      expect(stepOf(body)).toBeNull()
    },
  )

  test('whose authorisation or capture was voided elsewhere has no payment', () => {
    expect(read(with_(one('APPROVED', 'SUCCESS', 'VOID_AUTHORIZATION'))).outcome).toBe('failed')
    const undone = with_(one('APPROVED', 'SUCCESS', 'CAPTURE'), one('APPROVED', 'SUCCESS', 'VOID_CAPTURE'))
    expect(read(undone)).toMatchObject({ outcome: 'reversed', echo: money(1250n, 'USD') })
    expect(stepOf(undone)).toBeNull()
  })
})

describe('a refund', () => {
  const expected = { originalKey: 'key1', id: 'refund1', type: /^REFUND$/ }
  const refund = (code: string, result: string, change: Record<string, unknown> = {}) =>
    refundReply(
      Transaction.parse(parsed(transaction(code, result, { type: 'REFUND', id: 'refund1', ...change }))),
      expected,
    )

  test.each<Row>(codes)('%s with %s: %s', (code, result, outcome) => {
    expect(refund(code, result)).toMatchObject({ outcome, state: {} })
  })

  test('done: its own amount', () => {
    expect(refund('APPROVED', 'SUCCESS', { amount: 10 })).toMatchObject({
      echo: money(1000n, 'USD'),
      providerReference: '612345678901',
    })
  })

  test('by a void: the amount of its order', () => {
    const body = transaction('APPROVED', 'SUCCESS', {
      type: 'VOID_PAYMENT',
      id: 'refund1-void',
      amount: null,
    })
    expect(
      refundReply(Transaction.parse(parsed(body)), { ...expected, id: 'refund1-void', type: VOID }),
    ).toMatchObject({ outcome: 'completed', echo: money(1250n, 'USD') })
  })

  test.each([
    ['another id', { id: 'refund2' }],
    ['another type', { type: 'PAYMENT' }],
    ['no amount', { amount: null }],
  ])('with %s is not trusted', (_name, change) => {
    expect(() => refund('APPROVED', 'SUCCESS', change)).toThrow(expect.objectContaining({ kind: 'unknown' }))
  })
})

test('no reply contains a number of a card, masked or not', () => {
  const number = '5123450000000008'
  const leaking = transaction(number, 'SUCCESS', { receipt: number })
  const replies = [
    read(paidOrder()),
    read(order([{ ...leaking, response: { gatewayCode: 'APPROVED' } }], { status: number })),
    read(order([leaking])),
    read(order([], { status: number })),
  ]
  const text = replies.map(
    ({ providerStatus, providerReference }) => `${providerStatus} ${providerReference}`,
  )
  expect(text.join()).not.toMatch(/\d{13}|x{4}/)
})
