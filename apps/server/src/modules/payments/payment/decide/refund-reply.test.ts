import { RefundId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { callOutcomes } from '../../../../../test/call-outcomes.ts'
import { decisionCtx, wholeState } from '../../../../../test/decisions.ts'
import { plusMs } from '../../../../platform/clock.ts'
import { systemIds } from '../../../../platform/ids.ts'
import { isOpenRefund, type RefundStatus, refundMoves, refundStatuses } from '../moves.ts'
import type { CallOutcome, OperatorRefundDecision } from '../outcome.ts'
import type { Refund } from '../payment.ts'
import { newRefund } from './open-refund.ts'
import type { RefundDecision } from './refund-end.ts'
import { decideRefund } from './refund-reply.ts'

const MINUTE = 60_000
const createdAt = new Date('2026-11-22T10:00:00Z')
const amount = money(1000n, 'USD')
const five = money(500n, 'USD')
const zero = money(0n, 'USD')
const at = plusMs(createdAt, MINUTE)

const scene = wholeState()
const charge = { ...scene.attempt, status: 'completed', providerReference: 'MP1' } as const
const fresh = newRefund(scene.payment, charge, createdAt, {
  id: systemIds.next(RefundId),
  amount,
  reason: null,
  requestedBy: null,
  origin: 'merchant',
  isSent: true,
})

const refundIn = (status: RefundStatus, change: Partial<Refund> = {}): Refund => ({
  ...fresh,
  status,
  nextCheckAt: createdAt,
  watchUntil: status === 'failed' ? plusMs(createdAt, 3 * 24 * 60 * MINUTE) : null,
  nextWatchAt: status === 'failed' ? createdAt : null,
  ...change,
})

const outcomes = {
  ...callOutcomes(amount, five),
  'operator: paid': { kind: 'decided', verdict: { kind: 'paid', reference: 'MP9' } },
  'operator: unclaimed': { kind: 'decided', verdict: { kind: 'unclaimed', reason: 'the number is closed' } },
  'operator: failed': { kind: 'decided', verdict: { kind: 'failed', reason: 'the number is closed' } },
} as const satisfies Record<string, CallOutcome | OperatorRefundDecision>
type Outcome = keyof typeof outcomes
const names = Object.keys(outcomes) as Outcome[]

/** The decision about a refund of a completed payment of 25.00 with so much refunded besides. */
const decide = (
  refund: Refund,
  reported: CallOutcome | OperatorRefundDecision,
  refunded = zero,
): RefundDecision => {
  const isOpen = isOpenRefund(refund.status)
  const payment = { ...scene.payment, status: 'completed' as const, refunded }
  return decideRefund(
    decisionCtx(at),
    {
      ...scene,
      payment: { ...payment, refundPending: isOpen ? amount : zero },
      refunds: [refund],
      refund,
      charge,
      at,
    },
    reported,
  )
}

/** The effects of a decision in a word. */
function inShort({ effects, isPaid }: RefundDecision, { status, unclaimedAt }: Refund): string {
  if (effects === null) return 'keep'
  if (effects.openedAnomalies?.length) return 'review'
  const change = effects.refund?.change ?? {}
  const wasFailed = status === 'failed'
  if (isPaid) return wasFailed && unclaimedAt === null ? 'complete late' : 'complete'
  if (change.paidLateAt) return 'paid late'
  if (change.unclaimedAt) return 'unclaimed'
  if (change.status === undefined) return wasFailed ? 'watch' : 'other'
  if (change.status === 'unknown' && change.nextCheckAt === null) return 'mismatch'
  const words: Partial<Record<RefundStatus, string>> = { failed: 'fail', awaiting_operator: 'hand over' }
  return words[change.status] ?? `wait ${change.status}`
}

const decided = (refund: Refund, name: Outcome, refunded = zero) =>
  inShort(decide(refund, outcomes[name], refunded), refund)

/** The decisions on a merchant's refund, in the order of the statuses: sending, pending, unknown, awaiting_operator, completed, failed. */
const table: Record<Outcome, readonly string[]> = {
  paid: ['complete', 'complete', 'complete', 'complete', 'keep', 'complete late'],
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
  const decisions = refundStatuses.map((status) => decided(refundIn(status), name))
  expect(decisions).toEqual(table[name])
})

test('a refund of a duplicate charge is handed to an operator where another refund fails', () => {
  for (const name of names)
    for (const status of refundStatuses) {
      const merchants = decided(refundIn(status), name)
      const payers = decided(refundIn(status, { origin: 'duplicate' }), name)
      expect(payers).toBe(merchants === 'fail' ? 'hand over' : merchants)
    }
})

test('every decision is a move that the database allows', () => {
  for (const name of names)
    for (const status of refundStatuses)
      for (const origin of ['merchant', 'duplicate'] as const) {
        const { effects } = decide(refundIn(status, { origin }), outcomes[name])
        const after = effects?.refund?.change.status ?? status
        expect([status, ...refundMoves[status]], `${name}, ${status}`).toContain(after)
      }
})

test.each([
  ['is in the balance', money(1500n, 'USD'), 'complete late'],
  ['has been refunded again', money(1501n, 'USD'), 'paid late'],
])('a late success of a failed refund whose amount %s', (_what, refunded, decision) => {
  expect(decided(refundIn('failed'), 'paid', refunded)).toBe(decision)
})

test('a late payment that an operator has resolved is not decided again', () => {
  const resolved = refundIn('failed', { paidLateAt: createdAt, settledAt: createdAt })
  expect(names.map((name) => decided(resolved, name))).toEqual(names.map(() => 'keep'))
})

test('a failed refund that its provider paid late is no longer looked up', () => {
  const late = refundIn('failed', { paidLateAt: createdAt })
  expect(decided(late, 'refused')).toBe('keep')
})

test('a provider has no record of a refund that was never sent, or that an operator was to send', () => {
  const wasSent = (status: RefundStatus, name: Outcome) => {
    const { effects } = decide(refundIn(status), outcomes[name])
    return effects?.refund?.change.watchUntil !== undefined
  }
  expect(wasSent('sending', 'refused')).toBe(true)
  expect(wasSent('sending', 'never sent')).toBe(false)
  expect(wasSent('awaiting_operator', 'operator: failed')).toBe(false)
})
