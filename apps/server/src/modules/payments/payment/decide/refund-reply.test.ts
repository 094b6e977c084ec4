import { type Money, money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { callOutcomes } from '../../../../../test/call-outcomes.ts'
import { plusMs } from '../../../../platform/clock.ts'
import { type RefundStatus, refundMoves, refundStatuses } from '../moves.ts'
import type { CallOutcome, OperatorRefundDecision } from '../outcome.ts'
import type { Refund } from '../payment.ts'
import { decideRefund, type RefundDecision, type RefundState } from './refund-reply.ts'

const MINUTE = 60_000
const createdAt = new Date('2026-11-22T10:00:00Z')
const amount = money(1000n, 'USD')
const five = money(500n, 'USD')
const zero = money(0n, 'USD')

const refundIn = (status: RefundStatus, change: Partial<Refund> = {}): Refund =>
  ({
    status,
    amount,
    createdAt,
    origin: 'merchant',
    providerState: null,
    providerReference: null,
    notFoundChecks: 0,
    paidLateAt: null,
    settledAt: null,
    bouncedAt: null,
    unclaimedAt: null,
    ...change,
  }) as Refund

/** A payment of 25.00 with so much refunded or reserved. */
const paymentWith = (refunded: Money): RefundState['payment'] => ({
  status: 'completed',
  amount: money(2500n, 'USD'),
  captured: null,
  refunded,
  refundPending: zero,
  reversed: zero,
})

const outcomes = {
  ...callOutcomes(amount, five),
  'operator: paid': { kind: 'decided', verdict: { kind: 'paid', reference: 'MP9' } },
  'operator: unclaimed': { kind: 'decided', verdict: { kind: 'unclaimed', reason: 'the number is closed' } },
  'operator: failed': { kind: 'decided', verdict: { kind: 'failed', reason: 'the number is closed' } },
} as const satisfies Record<string, CallOutcome | OperatorRefundDecision>
type Outcome = keyof typeof outcomes
const names = Object.keys(outcomes) as Outcome[]

const decide = (
  refund: Refund,
  reported: CallOutcome | OperatorRefundDecision,
  payment = paymentWith(zero),
): RefundDecision => decideRefund({ refund, payment }, reported, plusMs(createdAt, MINUTE))

function inShort(decision: RefundDecision): string {
  if (decision.kind === 'wait') return `wait ${decision.status}`
  if (decision.kind === 'complete' && decision.isLate) return 'complete late'
  return decision.kind
}

/** The decisions on a merchant's refund, in the order of the statuses: sending, pending, unknown, awaiting_operator, completed, failed. */
const table: Record<Outcome, readonly string[]> = {
  paid: ['complete', 'complete', 'complete', 'complete', 'review', 'complete late'],
  'paid, no amount': ['wait unknown', 'wait pending', 'wait unknown', 'keep', 'keep', 'watch'],
  'paid a part': ['mismatch', 'mismatch', 'mismatch', 'mismatch', 'review', 'paid late'],
  refused: ['fail', 'fail', 'fail', 'fail', 'review', 'watch'],
  pending: ['wait pending', 'wait pending', 'wait pending', 'keep', 'keep', 'watch'],
  reversed: ['wait unknown', 'wait pending', 'wait unknown', 'keep', 'review', 'watch'],
  held: ['wait unknown', 'wait pending', 'wait unknown', 'keep', 'keep', 'watch'],
  'no answer': ['wait unknown', 'wait pending', 'wait unknown', 'keep', 'keep', 'watch'],
  'never sent': ['fail', 'fail', 'fail', 'fail', 'keep', 'watch'],
  'not found': ['wait unknown', 'wait pending', 'wait unknown', 'keep', 'keep', 'watch'],
  'operator: paid': ['complete', 'complete', 'complete', 'complete', 'keep', 'keep'],
  'operator: unclaimed': ['unclaimed', 'unclaimed', 'unclaimed', 'unclaimed', 'keep', 'keep'],
  'operator: failed': ['fail', 'fail', 'fail', 'fail', 'keep', 'keep'],
}

test.each(names)('"%s" has one decision for each status of a refund', (name) => {
  const decisions = refundStatuses.map((status) => inShort(decide(refundIn(status), outcomes[name])))
  expect(decisions).toEqual(table[name])
})

test('a refund of a duplicate charge is handed to an operator where another refund fails', () => {
  for (const name of names)
    for (const status of refundStatuses) {
      const merchants = inShort(decide(refundIn(status), outcomes[name]))
      const payers = inShort(decide(refundIn(status, { origin: 'duplicate' }), outcomes[name]))
      expect(payers).toBe(merchants === 'fail' ? 'hand over' : merchants)
    }
})

test('every decision is a move that the database allows', () => {
  const next = (status: RefundStatus, decision: RefundDecision): RefundStatus => {
    if (decision.kind === 'wait') return decision.status
    if (decision.kind === 'mismatch') return 'unknown'
    if (decision.kind === 'complete') return 'completed'
    if (decision.kind === 'fail') return 'failed'
    return decision.kind === 'hand over' ? 'awaiting_operator' : status
  }
  for (const name of names)
    for (const status of refundStatuses)
      for (const origin of ['merchant', 'duplicate'] as const) {
        const after = next(status, decide(refundIn(status, { origin }), outcomes[name]))
        expect([status, ...refundMoves[status]], `${name}, ${status}`).toContain(after)
      }
})

test.each([
  ['is in the balance', money(1500n, 'USD'), 'complete late'],
  ['has been refunded again', money(1501n, 'USD'), 'paid late'],
])('a late success of a failed refund whose amount %s', (_what, refunded, decision) => {
  expect(inShort(decide(refundIn('failed'), outcomes.paid, paymentWith(refunded)))).toBe(decision)
})

test('a late payment that an operator has resolved is not decided again', () => {
  const resolved = refundIn('failed', { paidLateAt: createdAt, settledAt: createdAt })
  expect(names.map((name) => decide(resolved, outcomes[name]).kind)).toEqual(names.map(() => 'keep'))
})

test('a failed refund that its provider paid late is no longer looked up', () => {
  const late = refundIn('failed', { paidLateAt: createdAt })
  expect(decide(late, outcomes.refused).kind).toBe('keep')
})

test('a provider has no record of a refund that was never sent, or that an operator was to send', () => {
  const wasSent = (status: RefundStatus, name: Outcome) => {
    const decision = decide(refundIn(status), outcomes[name])
    return decision.kind === 'fail' && decision.wasSent
  }
  expect(wasSent('sending', 'refused')).toBe(true)
  expect(wasSent('sending', 'never sent')).toBe(false)
  expect(wasSent('awaiting_operator', 'operator: failed')).toBe(false)
})
