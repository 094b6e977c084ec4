import { paymentMoves } from '../../src/modules/payments/payment/moves.ts'
import { uuidOf } from '../../src/platform/ids.ts'
import {
  bookedOfCharge,
  count,
  emitted,
  hadFailed,
  has,
  hasEnded,
  isPaid,
  isUnclaimed,
  neverReceived,
  ofMerchant,
  ofPayer,
  reversals,
  reversedByEvents,
  reversedByReviews,
  wasPaid,
} from './facts.ts'
import type { Invariant } from './invariant.ts'
import type { ReplyKind } from './sequence.ts'

const isUnderway = ({ status }: { status: string }): boolean =>
  ['sending', 'pending', 'unknown'].includes(status)
const isOpen = (attempt: { status: string }): boolean =>
  isUnderway(attempt) || attempt.status === 'held' || attempt.status === 'authorized'
const isBooked = ({ status }: { status: string }): boolean => status === 'completed' || status === 'duplicate'

const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
/** Whether transitions lead from one status to the other: between two checks there may be several. */
const mayFollow = (from: string, to: string, passed: readonly string[] = []): boolean =>
  from === to ||
  moves.some(
    (move) =>
      move.from.includes(from) && !passed.includes(move.to) && mayFollow(move.to, to, [...passed, from]),
  )

/** Invariants of states, of calls to providers and of events. */
export const stateInvariants: readonly Invariant[] = [
  {
    title: '[INV-01] [INV-02] one key is one payment, after any number of repetitions and crashes',
    when: 'always',
    truths: (_now, { created }) => ({ 'one id was answered': created.size === 1 }),
  },
  {
    title: '[INV-06] a status moves along the graph and never back, in the rows and in the events',
    when: 'always',
    truths: ({ payment, events }, { before }) => ({
      stored: mayFollow(before?.payment.status ?? 'pending', payment.status),
      emitted: events.every((event, nth) => mayFollow(events[nth - 1]?.status ?? 'pending', event.status)),
      'last event': events.length === 0 || events.at(-1)?.status === payment.status,
    }),
  },
  {
    title:
      '[INV-07] an attempt fails only by a refusal, by an operator, or when its provider never received it',
    when: 'always',
    truths: ({ attempts }, scenario) => ({
      failed: attempts.every((attempt) => {
        const entry = scenario.script.charges.get(attempt.key)
        const before = scenario.before?.attempts ?? []
        return (
          attempt.status !== 'failed' ||
          hadFailed(before, attempt) ||
          has(entry, 'refused', 'unavailable') ||
          (!entry && scenario.script.unprocessed.has(attempt.key)) ||
          scenario.attemptVerdicts.has(false) ||
          neverReceived(scenario, attempt, entry, before)
        )
      }),
    }),
  },
  {
    title:
      '[INV-08] [INV-29] each charge and each refund is sent to its provider once, after its row was committed',
    when: 'always',
    truths: ({ attempts, refunds }, { script }) => ({
      once: [...script.charges.values(), ...script.refunds.values()].every(({ calls }) => calls === 1),
      'charges have rows': [...script.charges.keys()].every((key) => attempts.some((row) => row.key === key)),
      'refunds have rows': [...script.refunds.keys()].every((key) => refunds.some((row) => row.key === key)),
    }),
  },
  {
    title: '[INV-08] [INV-32] one attempt at a time is open, and none starts while another is held',
    when: 'always',
    truths: ({ attempts }) => ({
      'one in progress': count(attempts, isUnderway) <= 1,
      // Attempts are in the order of their start.
      'none after an open one': attempts.every(
        (each, nth) => nth === attempts.length - 1 || !isUnderway(each),
      ),
    }),
  },
  {
    title: 'every call is answered or refused with a code, and no background task fails',
    when: 'always',
    truths: (_now, { errors }) => ({
      [errors.map((each) => (each instanceof Error ? each.stack : JSON.stringify(each))).join('; ')]:
        errors.length === 0,
    }),
  },
  {
    title:
      '[INV-24] [INV-34] only a reply with the requested amount completes an attempt; forged callbacks and other merchants are refused',
    when: 'always',
    truths: ({ attempts }, { script, attemptVerdicts, wronglyAccepted }) => ({
      replies: attempts.every(
        (attempt) =>
          !isBooked(attempt) || has(script.charges.get(attempt.key), 'paid') || attemptVerdicts.has(true),
      ),
      [wronglyAccepted.join('; ')]: wronglyAccepted.length === 0,
    }),
  },
  {
    title: '[INV-25] every change of a payment has its event, and every event its change',
    when: 'always',
    truths: (now) => {
      const { events, payment } = now
      const refunds = ofMerchant(now)
      const ofCharge = bookedOfCharge(now)
      const of = (type: string) => events.filter((event) => event.type === type).map(({ refund }) => refund)
      const failed = refunds.filter(({ status }) => status === 'failed')
      const done = refunds.filter(wasPaid).map(({ id }) => String(id))
      return {
        failed:
          emitted(now, 'payment.failed') <= 1 &&
          (payment.status !== 'failed' || emitted(now, 'payment.failed') === 1),
        refunded: [...of('payment.refunded')].sort().join() === [...done].sort().join(),
        'refund failed': failed.every(({ id }) => of('refund.failed').includes(id)),
        // A refund that was paid after its failure may come back.
        'one event for each': refunds.every(
          ({ id, bounced_at }) =>
            of('refund.failed').filter((each) => each === id).length <= (bounced_at === null ? 1 : 2),
        ),
        'booked reversals':
          emitted(now, 'payment.reversal_booked') === count(ofCharge, ({ kind }) => kind !== 'returned'),
        'returned reversals':
          emitted(now, 'payment.reversal_undone') === count(ofCharge, ({ kind }) => kind === 'returned'),
      }
    },
  },
  {
    title:
      '[INV-23] what its provider has returned or captured besides has an anomaly, and events report the whole reversed amount',
    when: 'always',
    truths: (now, scenario) => ({
      // An open anomaly is updated by a larger reversal, and each update has an event.
      emitted: emitted(now, 'payment.reversed') >= reversals(now).length,
      'the whole amount': reversedByEvents(now) === reversedByReviews(now),
      'has an anomaly': now.attempts.every((attempt) => {
        const entry = scenario.script.charges.get(attempt.key)
        const wasPaid = scenario.before?.attempts.some(
          ({ id, status }) => id === attempt.id && status === 'completed',
        )
        if (!scenario.neverCrashes || !wasPaid || !entry || now.refunds.length > 0) return true
        const isNew = (reply: ReplyKind) =>
          (entry.replies.get(reply) ?? 0) > (entry.repliesBefore.get(reply) ?? 0)
        const hasAnomaly = (expected: string) =>
          now.anomalies.some(({ kind, attempt_id }) => kind === expected && attempt_id === uuidOf(attempt.id))
        return (
          ((!isNew('reversed') && !isNew('part refunded')) || hasAnomaly('reversed')) &&
          (!isNew('captured more') || hasAnomaly('amount_differs'))
        )
      }),
    }),
  },
  {
    title: '[INV-27] the events of a payment are numbered without a gap',
    when: 'always',
    truths: ({ payment, events }) => ({
      numbers: [...events]
        .sort((one, other) => one.sequence - other.sequence)
        .every(({ sequence }, nth) => sequence === nth + 1),
      'in order': events.every(({ sequence }, nth) => sequence === nth + 1),
      last: payment.last_event === events.length,
    }),
  },
  {
    title:
      '[INV-07] [INV-32] a payment fails only when it was cancelled or has expired and no attempt is open',
    when: 'always',
    truths: ({ payment, attempts }) => ({
      reason: payment.status !== 'failed' || payment.termination_reason !== null,
      'no attempt in progress': payment.status !== 'failed' || !attempts.some(isUnderway),
      'pending only for open attempts':
        payment.status !== 'pending' || payment.termination_reason === null || attempts.some(isOpen),
    }),
  },
  {
    title: '[INV-23] [INV-24] only an operator resolves a held attempt, and a booked attempt stays booked',
    when: 'always',
    truths: ({ attempts }, { before, attemptVerdicts }) => {
      const was = (status: string) => (before?.attempts ?? []).filter((attempt) => attempt.status === status)
      const isStill = ({ id, status }: { id: string; status: string }) =>
        attempts.some((attempt) => attempt.id === id && attempt.status === status)
      return {
        held: attemptVerdicts.size > 0 || was('held').every(isStill),
        booked: [...was('completed'), ...was('duplicate')].every(isStill),
      }
    },
  },
  {
    title: '[INV-30] every open attempt has a scheduled look-up or is under review',
    when: 'always',
    truths: (now) => ({
      'look-up or review': now.attempts.every(
        (attempt) =>
          !isOpen(attempt) ||
          attempt.status === 'held' ||
          attempt.next_check_at !== null ||
          isPaid(now) ||
          now.payment.status_reason === 'under_review',
      ),
      'held attempts are under review':
        isPaid(now) ||
        !now.attempts.some(({ status }) => status === 'held') ||
        now.payment.status_reason === 'under_review',
    }),
  },
  {
    title:
      '[INV-23] [INV-33] at the end every charge that its provider confirmed is booked, and nothing is open',
    when: 'end',
    truths: (now, { script }) => ({
      booked: now.attempts.every(
        (attempt) =>
          !has(script.charges.get(attempt.key), 'paid') ||
          isBooked(attempt) ||
          now.anomalies.some(
            ({ attempt_id, refund_id }) => attempt_id === uuidOf(attempt.id) && refund_id === null,
          ),
      ),
      'attempts have ended': !now.attempts.some(isOpen),
      'refunds have ended': now.refunds.every(hasEnded),
      'the payment has ended': now.payment.status !== 'pending',
      'duplicates are refunded': ofPayer(now).every((refund) => wasPaid(refund) || isUnclaimed(refund)),
      'paid refunds are booked or have an anomaly': now.refunds.every(
        ({ id, key, status, paid_late_at, bounced_at }) =>
          !has(script.refunds.get(key), 'paid') ||
          status === 'completed' ||
          bounced_at !== null ||
          paid_late_at !== null ||
          now.anomalies.some(({ refund_id }) => refund_id === uuidOf(id)),
      ),
    }),
  },
]
