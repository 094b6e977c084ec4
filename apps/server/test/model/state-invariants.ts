import { paymentMoves } from '../../src/modules/payments/machine.ts'
import { uuidOf } from '../../src/platform/ids.ts'
import {
  count,
  hadFailed,
  has,
  isOver,
  isPaid,
  neverHeard,
  ofMerchant,
  ofPayer,
  reversedByEvents,
  reversedByReviews,
  told,
  unique,
} from './facts.ts'
import type { Invariant } from './invariant.ts'

const isUnderway = ({ status }: { status: string }): boolean =>
  ['sending', 'pending', 'unknown'].includes(status)
const isOpen = (attempt: { status: string }): boolean => isUnderway(attempt) || attempt.status === 'held'
const isSettled = ({ status }: { status: string }): boolean =>
  status === 'completed' || status === 'duplicate'

const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
/** Whether named moves lead from one status to the other: between two looks there may be several. */
const mayFollow = (from: string, to: string): boolean =>
  from === to || moves.some((move) => move.from.includes(from) && mayFollow(move.to, to))

/** How a payment lives, what is asked of others for it, and what is told of it. */
export const stateInvariants: readonly Invariant[] = [
  {
    title:
      '[INV-01] [INV-02] one key is one payment, however often it is asked for and whoever dies over it, and it stays',
    when: 'always',
    truths: (_now, { created }) => ({ 'one id was answered': created.size === 1 }),
  },
  {
    title: '[INV-06] a status moves along the graph and never back, in what is kept and in what is told',
    when: 'always',
    truths: ({ payment, events }, { before }) => ({
      kept: mayFollow(before?.payment.status ?? 'pending', payment.status),
      told: events.every((event, nth) => mayFollow(events[nth - 1]?.status ?? 'pending', event.status)),
      'told last': events.length === 0 || events.at(-1)?.status === payment.status,
    }),
  },
  {
    title:
      '[INV-07] an attempt fails only by a refusal, by a person, or when its provider has never heard of it',
    when: 'always',
    truths: ({ attempts }, lane) => ({
      failed: attempts.every((attempt) => {
        const entry = lane.voice.charges.get(attempt.key)
        const before = lane.before?.attempts ?? []
        return (
          attempt.status !== 'failed' ||
          hadFailed(before, attempt) ||
          has(entry, 'refused', 'unavailable') ||
          lane.decided.has(false) ||
          neverHeard(lane, attempt, entry, before)
        )
      }),
    }),
  },
  {
    title:
      '[INV-08] [INV-29] a provider is asked for each charge and each refund once, and it was written down before',
    when: 'always',
    truths: ({ attempts, refunds }, { voice }) => ({
      once: [...voice.charges.values(), ...voice.refunds.values()].every(({ asked }) => asked === 1),
      'charges are written down': [...voice.charges.keys()].every((key) =>
        attempts.some((row) => row.key === key),
      ),
      'refunds are written down': [...voice.refunds.keys()].every((key) =>
        refunds.some((row) => row.key === key),
      ),
    }),
  },
  {
    title: '[INV-08] [INV-32] one attempt at a time is open, and none began after another was held',
    when: 'always',
    truths: ({ attempts }) => ({
      'one under way': count(attempts, isUnderway) <= 1,
      // They are in the order in which they began.
      'none behind one that is open': attempts.every(
        (each, nth) => nth === attempts.length - 1 || !isUnderway(each),
      ),
    }),
  },
  {
    title: 'whoever asks is answered or refused by a code, and no job fails, whatever happens beside it',
    when: 'always',
    truths: (_now, { faults }) => ({
      [faults.map((fault) => (fault instanceof Error ? fault.stack : JSON.stringify(fault))).join('; ')]:
        faults.length === 0,
    }),
  },
  {
    title:
      '[INV-24] [INV-34] nothing is paid but by a word with the right amount; forgers and strangers are refused',
    when: 'always',
    truths: ({ attempts }, { voice, decided, taken }) => ({
      said: attempts.every(
        (attempt) => !isSettled(attempt) || has(voice.charges.get(attempt.key), 'paid') || decided.has(true),
      ),
      [taken.join('; ')]: taken.length === 0,
    }),
  },
  {
    title: '[INV-25] every change of a payment has its event, and every event its change',
    when: 'always',
    truths: (now) => {
      const { events, payment } = now
      const refunds = ofMerchant(now)
      const of = (type: string) => events.filter((event) => event.type === type).map(({ refund }) => refund)
      const ids = (status: string) =>
        refunds.filter((refund) => refund.status === status).map(({ id }) => String(id))
      return {
        failed:
          told(now, 'payment.failed') <= 1 &&
          (payment.status !== 'failed' || told(now, 'payment.failed') === 1),
        'given back': [...of('payment.refunded')].sort().join() === [...ids('completed')].sort().join(),
        'not given back': ids('failed').every((id) => of('refund.failed').includes(id)),
        'each once': unique(of('refund.failed')),
      }
    },
  },
  {
    title:
      '[INV-23] a charge that its provider took back by itself stands before a person, and its merchant is told of all of it',
    when: 'always',
    truths: (now, lane) => ({
      // A review that is open is raised, and each raise is told.
      told: told(now, 'payment.reversed') >= count(now.anomalies, ({ kind }) => kind === 'reversed'),
      'the whole amount': reversedByEvents(now) === reversedByReviews(now),
      'before a person': now.attempts.every((attempt) => {
        const entry = lane.voice.charges.get(attempt.key)
        const wasPaid = lane.before?.attempts.some(
          ({ id, status }) => id === attempt.id && status === 'completed',
        )
        const isNewReversal = (entry?.said.get('reversed') ?? 0) > (entry?.reversedBefore ?? 0)
        if (!lane.isImmortal || !wasPaid || !isNewReversal || now.refunds.length > 0) return true
        return now.anomalies.some(
          ({ kind, attempt_id }) => kind === 'reversed' && attempt_id === uuidOf(attempt.id),
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
      'in the order in which they came': events.every(({ sequence }, nth) => sequence === nth + 1),
      last: payment.last_event === events.length,
    }),
  },
  {
    title:
      '[INV-07] [INV-32] a payment fails only when it was cancelled or has expired and no attempt is open',
    when: 'always',
    truths: ({ payment, attempts }) => ({
      reason: payment.status !== 'failed' || payment.termination_reason !== null,
      'nothing under way': payment.status !== 'failed' || !attempts.some(isUnderway),
      'waits only for what is open':
        payment.status !== 'pending' || payment.termination_reason === null || attempts.some(isOpen),
    }),
  },
  {
    title:
      '[INV-23] [INV-24] what is held for a person only a person decides, and what is booked stays booked',
    when: 'always',
    truths: ({ attempts }, { before, decided }) => {
      const was = (status: string) => (before?.attempts ?? []).filter((attempt) => attempt.status === status)
      const isStill = ({ id, status }: { id: string; status: string }) =>
        attempts.some((attempt) => attempt.id === id && attempt.status === status)
      return {
        held: decided.size > 0 || was('held').every(isStill),
        booked: [...was('completed'), ...was('duplicate')].every(isStill),
      }
    },
  },
  {
    title: '[INV-30] whatever is open is looked up, or stands before a person who is told',
    when: 'always',
    truths: (now) => ({
      'somebody looks': now.attempts.every(
        (attempt) =>
          !isUnderway(attempt) ||
          attempt.next_check_at !== null ||
          isPaid(now) ||
          now.payment.status_reason === 'under_review',
      ),
      'a person is told of what is held':
        isPaid(now) ||
        !now.attempts.some(({ status }) => status === 'held') ||
        now.payment.status_reason === 'under_review',
    }),
  },
  {
    title:
      '[INV-23] [INV-33] in the end every charge that its provider confirmed is booked, and nothing is open',
    when: 'end',
    truths: (now, { voice }) => ({
      booked: now.attempts.every(
        (attempt) =>
          !has(voice.charges.get(attempt.key), 'paid') ||
          isSettled(attempt) ||
          now.anomalies.some(
            ({ attempt_id, refund_id }) => attempt_id === uuidOf(attempt.id) && refund_id === null,
          ),
      ),
      'attempts are over': !now.attempts.some(isOpen),
      'refunds are over': now.refunds.every(isOver),
      'the payment is over': now.payment.status !== 'pending',
      'the payer has what was paid twice': ofPayer(now).every(({ status }) => status === 'completed'),
      'what was paid back is booked, or stands before a person': now.refunds.every(
        ({ id, key, status, paid_late_at }) =>
          !has(voice.refunds.get(key), 'paid') ||
          status === 'completed' ||
          paid_late_at !== null ||
          now.anomalies.some(({ refund_id }) => refund_id === uuidOf(id)),
      ),
    }),
  },
]
