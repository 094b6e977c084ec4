import { money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { callOutcomes, replied } from '../../../../../test/call-outcomes.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { CaptureOrder } from '../../../providers/index.ts'
import { authorised } from '../../factory.ts'
import { type AttemptStatus, attemptMoves, attemptStatuses } from '../moves.ts'
import type { CallOutcome, Decision } from '../outcome.ts'
import type { Attempt } from '../payment.ts'
import { type AttemptDecision, decideAttempt } from './charge-reply.ts'

const MINUTE = 60_000
const createdAt = new Date('2026-11-22T10:00:00Z')
const amount = money(2500n, 'USD')
const ten = money(1000n, 'USD')

const attemptIn = (status: AttemptStatus, change: Partial<Attempt> = {}): Attempt =>
  ({
    status,
    amount,
    createdAt,
    providerState: null,
    providerReference: null,
    notFoundChecks: 0,
    outcomeFailures: 0,
    ...change,
  }) as Attempt

const outcomes = {
  ...callOutcomes(amount, ten),
  authorised: replied(authorised(amount)),
  'authorised 10.00': replied(authorised(ten)),
  'operator: paid': { kind: 'decided', verdict: { outcome: 'completed', reference: 'MP9' } },
  'operator: failed': { kind: 'decided', verdict: { outcome: 'failed' } },
} as const satisfies Record<string, CallOutcome | Decision>

const decide = (
  attempt: Attempt,
  reported: CallOutcome | Decision,
  movedMinor: bigint | null = null,
  capture?: CaptureOrder,
) => decideAttempt({ attempt, movedMinor, capture }, reported, plusMs(createdAt, MINUTE))

const inShort = (decision: AttemptDecision): string =>
  decision.kind === 'wait' ? `wait ${decision.status}` : decision.kind

type Table = Record<keyof typeof outcomes, Partial<Record<AttemptStatus, string>>>

const table: Table = {
  paid: row('complete', 'complete', 'complete', 'keep', 'complete', 'review'),
  'paid, no amount': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'review'),
  'paid a part': row('hold', 'hold', 'hold', 'keep', 'hold', 'review'),
  refused: row('fail', 'fail', 'fail', 'keep', 'watch', 'review'),
  pending: row('wait pending', 'wait pending', 'wait pending', 'keep', 'watch', 'review'),
  reversed: row('hold', 'hold', 'hold', 'keep', 'hold', 'review'),
  held: row('hold', 'hold', 'hold', 'keep', 'hold', 'review'),
  'no answer': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'review'),
  'never sent': row('fail', 'fail', 'fail', 'keep', 'watch', 'review'),
  'not found': row('wait unknown', 'wait pending', 'wait unknown', 'keep', 'watch', 'keep'),
  authorised: row('wait pending', 'wait pending', 'wait pending', 'keep', 'watch', 'review'),
  'authorised 10.00': row('wait pending', 'wait pending', 'wait pending', 'keep', 'watch', 'review'),
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
      inShort(decide(attemptIn(status), outcomes[reported], null, { kind: 'await' })),
    ])
    expect(Object.fromEntries(decided)).toEqual(withoutInstruction[reported])
  },
)

test('a capture succeeds with its own amount only, and nothing succeeds after a void', () => {
  const after = (capture: CaptureOrder, reported: CallOutcome, status: AttemptStatus = 'pending') =>
    inShort(decide(attemptIn(status), reported, null, capture))
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

const becomes: Partial<Record<AttemptDecision['kind'], readonly AttemptStatus[]>> = {
  authorise: ['authorized'],
  complete: ['completed', 'duplicate'],
  fail: ['failed'],
  hold: ['held'],
}

test('a decision never needs a move that the machine does not have', () => {
  for (const status of attemptStatuses)
    for (const reported of Object.values(outcomes)) {
      const waits = status === 'authorized' ? ({ kind: 'await' } as const) : undefined
      const decision = decide(attemptIn(status), reported, null, waits)
      for (const next of becomes[decision.kind] ?? []) expect(attemptMoves[status]).toContain(next)
    }
})

test('an amount that an operator has booked is not booked again, and another amount reverses the booking', () => {
  const failed = attemptIn('failed')
  expect(decide(failed, outcomes.paid, 2500n)).toEqual({ kind: 'keep' })
  expect(decide(failed, outcomes.paid, 1000n)).toMatchObject({ kind: 'complete', unbooks: true })
  expect(decide(failed, outcomes['paid a part'], 700n)).toMatchObject({ kind: 'hold', unbooks: true })
  expect(decide(attemptIn('held'), outcomes['operator: failed'])).toMatchObject({
    isFinal: 'seen by an operator',
    unbooks: true,
  })
})

test('a charge that its provider has never reported fails after its lifetime, by the second look-up', () => {
  const missing = (missedBefore: number): CallOutcome => ({
    kind: 'missing',
    missedBefore,
    attemptTtlMs: 10 * MINUTE,
    isProof: true,
  })
  const at = (minutes: number, change: Partial<Attempt>, missedBefore: number) =>
    decideAttempt(
      { attempt: attemptIn('unknown', change), movedMinor: null },
      missing(missedBefore),
      plusMs(createdAt, minutes * MINUTE),
    )
  expect(at(11, { notFoundChecks: 1 }, 1)).toMatchObject({ kind: 'fail', reason: 'expired', isFinal: false })
  expect(at(11, { notFoundChecks: 0 }, 0)).toMatchObject({ kind: 'wait' })
  expect(at(9, { notFoundChecks: 1 }, 1)).toMatchObject({ kind: 'wait' })
  expect(at(11, { notFoundChecks: 1, providerReference: 'MP1' }, 1)).toMatchObject({ kind: 'wait' })
})

test('a failure that provably never reached its provider is final, and another is watched', () => {
  expect(decide(attemptIn('sending'), outcomes['never sent'])).toMatchObject({ isFinal: 'never sent' })
  expect(decide(attemptIn('sending'), outcomes.refused)).toMatchObject({ isFinal: false })
})
