import { fromMajor } from '@muripo/contract/money'
import { feeForPayment } from '@muripo/contract/pricing'
import { paymentMoves } from '../../src/modules/payments/machine.ts'
import { uuidOf } from '../../src/platform/ids.ts'
import type { Entry } from './adversary.ts'
import type { Lane } from './lane.ts'
import type { Word } from './life.ts'
import type { Records, RefundRow } from './records.ts'

/** What must be true of a payment, by what it is called when it is not. */
type Truths = Readonly<Record<string, boolean>>

export interface Invariant {
  /** Its number and what it says. */
  readonly title: string
  /** always: between any two rounds. end: when everybody has told the truth and everything has had its time. */
  readonly when: 'always' | 'end'
  readonly truths: (now: Records, lane: Lane) => Truths
}

const count = <Row>(rows: readonly Row[], is: (row: Row) => boolean): number => rows.filter(is).length
const sum = (rows: readonly { readonly amount_minor: number }[]): number =>
  rows.reduce((total, { amount_minor }) => total + amount_minor, 0)
const unique = (all: readonly unknown[]): boolean => new Set(all).size === all.length

const isPaid = ({ payment }: Records): boolean =>
  payment.status === 'completed' || payment.status === 'refunded'
const isUnderway = ({ status }: { status: string }): boolean =>
  ['sending', 'pending', 'unknown'].includes(status)
const isOpen = (attempt: { status: string }): boolean => isUnderway(attempt) || attempt.status === 'held'
const isSettled = ({ status }: { status: string }): boolean =>
  status === 'completed' || status === 'duplicate'
const isOver = ({ status }: { status: string }): boolean => status === 'completed' || status === 'failed'
const ofMerchant = ({ refunds }: Records): RefundRow[] =>
  refunds.filter(({ origin }) => origin === 'merchant')
const ofPayer = ({ refunds }: Records): RefundRow[] => refunds.filter(({ origin }) => origin === 'duplicate')
const moved = ({ transfers }: Records, kind: string): number =>
  sum(transfers.filter((transfer) => transfer.kind === kind))
const told = ({ events }: Records, type: string): number => count(events, (event) => event.type === type)
const has = (entry: Entry | undefined, ...words: Word[]): boolean =>
  words.some((word) => entry?.said.has(word))

/** What stands on an account through this payment: what the gateway holds is positive, what it owes is negative. */
const balance = ({ transfers }: Records, is: (code: string) => boolean): number =>
  transfers.reduce(
    (total, { debit_code, credit_code, amount_minor }) =>
      total + (is(debit_code) ? amount_minor : 0) - (is(credit_code) ? amount_minor : 0),
    0,
  )

/** Whether the provider may be taken to have never been asked. */
const neverHeard = (lane: Lane, key: string, entry: Entry | undefined): boolean =>
  (entry?.said.get('not found') ?? 0) + (lane.voice.unheard.get(key) ?? 0) >= 2

const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
/** Whether named moves lead from one status to the other: between two looks there may be several. */
const mayFollow = (from: string, to: string): boolean =>
  from === to || moves.some((move) => move.from.includes(from) && mayFollow(move.to, to))

const transferWays: Readonly<Record<string, readonly [debit: RegExp, credit: RegExp]>> = {
  capture: [/^clearing\./, /^merchant\.payable$/],
  fee: [/^merchant\.payable$/, /^fee\.revenue$/],
  duplicate_capture: [/^clearing\./, /^refunds\.payable$/],
  refund_reserve: [/^merchant\.payable$/, /^refunds\.payable$/],
  refund_paid: [/^(refunds|merchant)\.payable$/, /^clearing\./],
  refund_released: [/^refunds\.payable$/, /^merchant\.payable$/],
}

export const invariants: readonly Invariant[] = [
  {
    title:
      '[INV-01] [INV-02] one key is one payment, however often it is asked for and whoever dies over it, and it stays',
    when: 'always',
    truths: (_now, { created }) => ({ 'one id was answered': created.size === 1 }),
  },
  {
    title: '[INV-02] [INV-12] a refund that was answered exists with its amount, and one key is one refund',
    when: 'always',
    truths: ({ refunds }, { refundsAnswered }) => {
      const answers = [...refundsAnswered]
      return {
        'each answered refund is there': answers.every(([id, { amount }]) =>
          refunds.some((refund) => refund.id === id && refund.amount_minor === Math.round(amount * 100)),
        ),
        'no key has two': unique(answers.map(([, { key }]) => key)),
      }
    },
  },
  {
    title: '[INV-05] a payment is paid once: one attempt, one capture, one event',
    when: 'always',
    truths: (now) => {
      const once = isPaid(now) ? 1 : 0
      return {
        attempts: count(now.attempts, ({ status }) => status === 'completed') === once,
        captures: count(now.transfers, ({ kind }) => kind === 'capture') === once,
        events: told(now, 'payment.completed') === once,
        amount: moved(now, 'capture') === once * now.payment.amount_minor,
      }
    },
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
      failed: attempts.every(({ key, status }) => {
        const entry = lane.voice.charges.get(key)
        return (
          status !== 'failed' ||
          has(entry, 'refused', 'unavailable') ||
          lane.decided.has(false) ||
          neverHeard(lane, key, entry)
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
    title: '[INV-11] refunds done and under way never exceed the amount, and are what the payment says',
    when: 'always',
    truths: (now) => {
      const { amount_minor, refunded_minor, refund_pending_minor } = now.payment
      const asked = ofMerchant(now)
      return {
        'not more than was paid': refunded_minor + refund_pending_minor <= amount_minor,
        done: sum(asked.filter(({ status }) => status === 'completed')) === refunded_minor,
        'under way': sum(asked.filter((refund) => !isOver(refund))) === refund_pending_minor,
        'refunded is all of it': (now.payment.status === 'refunded') === (refunded_minor === amount_minor),
      }
    },
  },
  {
    title: '[INV-13] only what was paid is given back, and each refund is of something',
    when: 'always',
    truths: (now) => ({
      paid: isPaid(now) || now.refunds.length === 0,
      something: now.refunds.every(({ amount_minor }) => amount_minor > 0),
    }),
  },
  {
    title: '[INV-14] a refund ends only by a word or a person, and keeps its reserve until then',
    when: 'always',
    truths: (now, lane) => {
      const { refunds } = lane.voice
      const byHand = (id: RefundRow['id']) => lane.judged.has(id)
      const owed = sum(ofMerchant(now).filter((refund) => !isOver(refund)))
      const kept = moved(now, 'refund_reserve') - moved(now, 'refund_released')
      const left = sum(
        now.transfers.filter(
          ({ kind, debit_code }) => kind === 'refund_paid' && debit_code === 'refunds.payable',
        ),
      )
      const back = sum(ofPayer(now).filter(({ status }) => status === 'completed'))
      return {
        'paid by a word': now.refunds.every(
          ({ id, key, status }) =>
            status !== 'completed' ||
            lane.judged.get(id) === true ||
            has(refunds.get(key), 'paid', 'paid, no amount', 'given back'),
        ),
        'failed by a word': now.refunds.every(({ id, key, status }) => {
          const entry = refunds.get(key)
          return (
            status !== 'failed' ||
            byHand(id) ||
            has(entry, 'refused', 'unavailable') ||
            neverHeard(lane, key, entry)
          )
        }),
        reserve: kept - (left - back) === owed,
      }
    },
  },
  {
    title:
      '[INV-15] every transfer goes between its two kinds of account, and each account holds what it must',
    when: 'always',
    truths: (now) => {
      const twice = ofPayer(now)
      const returned = sum(twice.filter(({ status }) => status === 'completed'))
      const owed = sum(twice) - returned
      const { refunded_minor, refund_pending_minor } = now.payment
      const is = (code: string) => (each: string) => each === code
      return {
        ways: now.transfers.every(({ kind, debit_code, credit_code, amount_minor }) => {
          const [debit, credit] = transferWays[kind] ?? []
          return amount_minor > 0 && debit?.test(debit_code) === true && credit?.test(credit_code) === true
        }),
        'nothing is left over': balance(now, () => true) === 0,
        'owed to payers': balance(now, is('refunds.payable')) === -(refund_pending_minor + owed) + 0,
        'held by the provider':
          balance(now, (code) => code.startsWith('clearing.')) ===
          moved(now, 'capture') + owed - refunded_minor,
        'owed to the merchant':
          balance(now, is('merchant.payable')) ===
          0 - (moved(now, 'capture') - moved(now, 'fee') - refunded_minor - refund_pending_minor),
        earned: balance(now, is('fee.revenue')) === 0 - moved(now, 'fee'),
        'paid back': moved(now, 'refund_paid') === refunded_minor + returned,
      }
    },
  },
  {
    title: '[INV-18] every transfer has its cause, and every cause its transfers',
    when: 'always',
    truths: (now) => {
      const causes = new Set([...now.attempts, ...now.refunds].map(({ id }) => uuidOf(id)))
      const of = (kind: string) => now.transfers.filter((transfer) => transfer.kind === kind)
      const caused = (kind: string, ids: readonly { readonly id: string }[]) =>
        unique(of(kind).map(({ cause_id }) => cause_id)) && of(kind).length === ids.length
      return {
        causes: now.transfers.every(({ cause_id }) => causes.has(cause_id)),
        reserves: caused('refund_reserve', ofMerchant(now)),
        duplicates: caused('duplicate_capture', ofPayer(now)),
        paid: caused(
          'refund_paid',
          now.refunds.filter(({ status }) => status === 'completed'),
        ),
      }
    },
  },
  {
    title: '[INV-19] [INV-20] what was asked for is what is kept, moved and told, in one currency',
    when: 'always',
    truths: (now, { life }) => {
      const { minor } = fromMajor(life.amount, 'USD')
      return {
        kept: BigInt(now.payment.amount_minor) === minor,
        currency: now.transfers.every(({ currency }) => currency === 'USD'),
        told: now.events.every(({ refunded }, nth) =>
          nth === now.events.length - 1 ? Math.round(refunded * 100) === now.payment.refunded_minor : true,
        ),
      }
    },
  },
  {
    title: '[INV-21] a fee is charged once, by the table, when the money comes, and stays',
    when: 'always',
    truths: (now, { life }) => {
      const fee = Number(feeForPayment(life.method, fromMajor(life.amount, 'USD')).minor)
      return {
        'on the payment': now.payment.fee_minor === (isPaid(now) ? fee : null),
        'in the ledger': moved(now, 'fee') === (isPaid(now) ? fee : 0),
        once: count(now.transfers, ({ kind }) => kind === 'fee') === (isPaid(now) ? 1 : 0),
      }
    },
  },
  {
    title: '[INV-22] [INV-23] a second success is owed to the payer and goes back once; it never fails',
    when: 'always',
    truths: (now) => ({
      'one refund for each':
        ofPayer(now).length === count(now.attempts, ({ status }) => status === 'duplicate'),
      booked: moved(now, 'duplicate_capture') === sum(ofPayer(now)),
      'never fails': ofPayer(now).every(({ status }) => status !== 'failed'),
      whole: ofPayer(now).every(({ amount_minor }) => amount_minor === now.payment.amount_minor),
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
      reason: payment.status !== 'failed' || payment.closing_reason !== null,
      'nothing under way': payment.status !== 'failed' || !attempts.some(isUnderway),
      'waits only for what is open':
        payment.status !== 'pending' || payment.closing_reason === null || attempts.some(isOpen),
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
        (attempt) => !has(voice.charges.get(attempt.key), 'paid') || isSettled(attempt),
      ),
      'attempts are over': !now.attempts.some(isOpen),
      'refunds are over': now.refunds.every(isOver),
      'the payment is over': now.payment.status !== 'pending',
      'the payer has what was paid twice': ofPayer(now).every(({ status }) => status === 'completed'),
    }),
  },
]

/** What is not true of a payment that should be; null when all is well. */
export function brokenIn(lane: Lane, when: Invariant['when']): { invariant: Invariant; what: string } | null {
  const { now } = lane
  for (const invariant of invariants) {
    if (invariant.when !== when) continue
    if (now === null) return { invariant, what: 'the payment is gone' }
    const wrong = Object.entries(invariant.truths(now, lane)).find(([, isTrue]) => !isTrue)
    if (wrong) return { invariant, what: wrong[0] }
  }
  return null
}
