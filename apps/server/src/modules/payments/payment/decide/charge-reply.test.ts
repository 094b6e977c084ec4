import { money } from '@muripo/contract/money'
import type { PaymentStatus } from '@muripo/contract/payments'
import { expect, test } from 'vitest'
import { callOutcomes, replied } from '../../../../../test/call-outcomes.ts'
import { decisionCtx, wholeState } from '../../../../../test/decisions.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { CaptureOrder } from '../../../providers/index.ts'
import { authorised } from '../../factory.ts'
import { type AttemptStatus, attemptMoves, attemptStatuses } from '../moves.ts'
import type { CallOutcome, Decision } from '../outcome.ts'
import type { Attempt } from '../payment.ts'
import type { ChargeDecision } from './charge-decision.ts'
import { decideCharge } from './charge-reply.ts'

const MINUTE = 60_000
const createdAt = new Date('2026-11-22T10:00:00Z')
const amount = money(2500n, 'USD')
const ten = money(1000n, 'USD')
const ctx = decisionCtx(plusMs(createdAt, MINUTE))

const attemptIn = (status: AttemptStatus, change: Partial<Attempt> = {}): Attempt =>
  ({
    ...wholeState().attempt,
    status,
    amount,
    createdAt,
    watchUntil: status === 'failed' ? plusMs(createdAt, 3 * 24 * 60 * MINUTE) : null,
    nextWatchAt: status === 'failed' ? createdAt : null,
    ...change,
  }) as Attempt

const outcomes = {
  ...callOutcomes(amount, ten),
  authorised: replied(authorised(amount)),
  'authorised 10.00': replied(authorised(ten)),
  'operator: paid': { kind: 'decided', verdict: { outcome: 'completed', reference: 'MP9' } },
  'operator: failed': { kind: 'decided', verdict: { outcome: 'failed' } },
} as const satisfies Record<string, CallOutcome | Decision>

const paymentOf: Record<AttemptStatus, PaymentStatus> = {
  sending: 'pending',
  pending: 'pending',
  unknown: 'pending',
  held: 'pending',
  authorized: 'authorized',
  completed: 'completed',
  duplicate: 'completed',
  failed: 'pending',
}

/** The decision about a charge of a payment as it is beside it. */
function decide(
  attempt: Attempt,
  reported: CallOutcome | Decision,
  { capture, at = plusMs(createdAt, MINUTE) }: { capture?: CaptureOrder; at?: Date } = {},
): ChargeDecision {
  const { payment, ...others } = wholeState()
  const common = { accountId: payment.accountId, paymentId: payment.id, attemptId: attempt.id, createdAt }
  const state = {
    ...others,
    payment: {
      ...payment,
      amount,
      status: paymentOf[attempt.status],
      captureMode: capture ? ('manual' as const) : ('automatic' as const),
    },
    attempts: [attempt],
    instruction: capture === undefined || capture.kind === 'await' ? null : withAmount(common, capture),
    at,
  }
  return decideCharge(ctx, state, attempt, reported)
}

const withAmount = <Common extends object>(common: Common, capture: CaptureOrder) =>
  capture.kind === 'capture'
    ? ({ ...common, kind: 'capture', amount: capture.amount } as const)
    : ({ ...common, kind: 'void', amount: null } as const)

const names: Partial<Record<AttemptStatus, string>> = {
  completed: 'complete',
  duplicate: 'complete',
  failed: 'fail',
  held: 'hold',
  authorized: 'authorise',
}

/** The effects of a decision in a word. */
function inShort({ effects, status }: ChargeDecision): string {
  if (effects === null) return 'keep'
  const { attempt, openedAnomalies } = effects
  if (openedAnomalies) return `review ${openedAnomalies.map(({ kind }) => kind)}`
  if (attempt?.change.status === undefined)
    return attempt?.change.lastReport === undefined ? 'watch' : 'report'
  return names[status] ?? `wait ${status}`
}

type Table = Record<keyof typeof outcomes, Partial<Record<AttemptStatus, string>>>

const table: Table = {
  paid: row('complete', 'complete', 'complete', 'keep', 'complete', 'keep'),
  'paid, no amount': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'keep'),
  'paid a part': row('hold', 'hold', 'hold', 'keep', 'hold', 'review amount_differs'),
  refused: row('fail', 'fail', 'fail', 'keep', 'watch', 'review contradicted'),
  pending: row('wait pending', 'wait pending', 'wait pending', 'keep', 'watch', 'report'),
  reversed: row('hold', 'hold', 'hold', 'keep', 'hold', 'review reversed'),
  held: row('hold', 'hold', 'hold', 'keep', 'hold', 'report'),
  'no answer': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'keep'),
  'never sent': row('fail', 'fail', 'fail', 'keep', 'watch', 'review contradicted'),
  'not found': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'keep'),
  authorised: row('wait pending', 'wait pending', 'wait pending', 'keep', 'watch', 'review contradicted'),
  'authorised 10.00': row(
    'wait pending',
    'wait pending',
    'wait pending',
    'keep',
    'watch',
    'review contradicted',
  ),
  'operator: paid': row('complete', 'complete', 'complete', 'complete', 'keep', 'keep'),
  'operator: failed': row('fail', 'fail', 'fail', 'fail', 'keep', 'keep'),
}

/** Only a payment with manual capture is authorised. */
const automatic = attemptStatuses.filter((status) => status !== 'authorized')

const open = ['sending', 'pending', 'unknown', 'authorized'] as const
const same = (decision: string) => Object.fromEntries(open.map((status) => [status, decision]))
const waits = (status: string) => ({
  sending: `wait ${status}`,
  pending: 'wait pending',
  unknown: `wait ${status}`,
  authorized: 'keep',
})

const withoutInstruction: Table = {
  paid: same('hold'),
  'paid, no amount': waits('unknown'),
  'paid a part': same('hold'),
  refused: same('fail'),
  pending: waits('pending'),
  reversed: same('hold'),
  held: same('hold'),
  'no answer': waits('unknown'),
  'never sent': { ...same('fail'), authorized: 'keep' },
  'not found': waits('unknown'),
  authorised: { ...same('authorise'), authorized: 'keep' },
  'authorised 10.00': { ...same('hold'), authorized: 'keep' },
  'operator: paid': { ...same('complete'), authorized: 'keep' },
  'operator: failed': { ...same('fail'), authorized: 'keep' },
}

test.each(Object.keys(outcomes) as (keyof typeof outcomes)[])(
  '%s decides an attempt that waits for an instruction by its status',
  (reported) => {
    const decided = open.map((status) => [
      status,
      inShort(decide(attemptIn(status), outcomes[reported], { capture: { kind: 'await' } })),
    ])
    expect(Object.fromEntries(decided)).toEqual(withoutInstruction[reported])
  },
)

test('a capture succeeds with its own amount only, and nothing succeeds after a void', () => {
  const after = (capture: CaptureOrder, reported: CallOutcome, status: AttemptStatus = 'pending') =>
    inShort(decide(attemptIn(status), reported, { capture }))
  const capture = { kind: 'capture', amount: ten } as const
  expect(after(capture, outcomes['paid a part'])).toBe('complete')
  expect(after(capture, outcomes.paid)).toBe('hold')
  expect(after(capture, outcomes.authorised)).toBe('wait pending')
  expect(after(capture, outcomes.refused)).toBe('fail')
  expect(after(capture, outcomes['paid a part'], 'failed')).toBe('complete')
  const voided = { kind: 'void' } as const
  for (const status of ['pending', 'failed'] as const)
    for (const reported of [outcomes.paid, outcomes['paid a part']])
      expect(after(voided, reported, status)).toBe('hold')
  expect(after(voided, outcomes.refused)).toBe('fail')
  expect(after(voided, outcomes.authorised)).toBe('wait pending')
  expect(after(voided, outcomes['no answer'])).toBe('wait pending')
})

function row(
  sending: string,
  pending: string,
  unknown: string,
  held: string,
  failed: string,
  booked: string,
): Partial<Record<AttemptStatus, string>> {
  return { sending, pending, unknown, held, failed, completed: booked, duplicate: booked }
}

test.each(Object.keys(outcomes) as (keyof typeof outcomes)[])(
  '%s decides an attempt by its status',
  (reported) => {
    const decided = automatic.map((status) => [
      status,
      inShort(decide(attemptIn(status), outcomes[reported])),
    ])
    expect(Object.fromEntries(decided)).toEqual(table[reported])
  },
)

test('a decision never needs a move that the table does not have', () => {
  for (const status of attemptStatuses)
    for (const reported of Object.values(outcomes)) {
      const capture = status === 'authorized' ? ({ kind: 'await' } as const) : null
      const decision = decide(attemptIn(status), reported, capture ? { capture } : {})
      expect([status, ...attemptMoves[status]]).toContain(decision.status)
    }
})

test('an amount that an operator has booked is not booked again, and another amount reverses the booking', () => {
  const failed = (moved: bigint) => attemptIn('failed', { moved: money(moved, 'USD') })
  const unbooks = (decision: ChargeDecision) =>
    decision.effects?.adjustments?.map(({ entry }) => [entry.debit, entry.amount.minor])
  expect(decide(failed(2500n), outcomes.paid).effects).toBeNull()
  const completed = decide(failed(1000n), outcomes.paid)
  expect([inShort(completed), unbooks(completed)]).toEqual(['complete', [['suspense', 1000n]]])
  const held = decide(failed(700n), outcomes['paid a part'])
  expect([inShort(held), unbooks(held)]).toEqual(['hold', [['suspense', 700n]]])
  const refused = decide(attemptIn('held', { moved: money(700n, 'USD') }), outcomes['operator: failed'])
  expect([inShort(refused), unbooks(refused)]).toEqual(['fail', [['suspense', 700n]]])
  expect(refused.effects?.attempt?.change).toMatchObject({ moved: null, nextWatchAt: null })
})

test('a charge that its provider has never reported fails after its lifetime, by the second look-up', () => {
  const missing = (missedBefore: number): CallOutcome => ({
    kind: 'missing',
    missedBefore,
    attemptTtlMs: 10 * MINUTE,
    isProof: true,
  })
  const at = (minutes: number, change: Partial<Attempt>, missedBefore: number) => {
    const attempt = attemptIn('unknown', change)
    return decide(attempt, missing(missedBefore), { at: plusMs(createdAt, minutes * MINUTE) })
  }
  const failed = at(11, { notFoundChecks: 1 }, 1)
  expect(inShort(failed)).toBe('fail')
  expect(failed.effects?.attempt?.change).toMatchObject({
    failureReason: 'expired',
    nextWatchAt: expect.any(Date),
  })
  expect(inShort(at(11, { notFoundChecks: 0 }, 0))).toBe('wait unknown')
  expect(inShort(at(9, { notFoundChecks: 1 }, 1))).toBe('wait unknown')
  expect(inShort(at(11, { notFoundChecks: 1, providerReference: 'MP1' }, 1))).toBe('wait unknown')
})

test('a failure that provably never reached its provider is final, and another is watched', () => {
  const watch = (reported: CallOutcome) => decide(attemptIn('sending'), reported).effects?.attempt?.change
  expect(watch(outcomes['never sent'])).toMatchObject({ nextWatchAt: null })
  expect(watch(outcomes.refused)).toMatchObject({ nextWatchAt: expect.any(Date) })
})
