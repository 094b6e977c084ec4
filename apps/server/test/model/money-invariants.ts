import { fromMajor, money } from '@muripo/contract/money'
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
  paidMinor,
  unique,
  wasPaid,
} from './facts.ts'
import type { Invariant } from './invariant.ts'
import { feeInModel } from './process.ts'
import type { Records, RefundRow } from './records.ts'

const TEN_MINUTES = 10 * 60_000

const sum = (rows: readonly { readonly amount_minor: number }[]): number =>
  rows.reduce((total, { amount_minor }) => total + amount_minor, 0)
const moved = ({ transfers }: Records, kind: string): number =>
  sum(transfers.filter((transfer) => transfer.kind === kind))

/** The balance of accounts from this payment's transfers: assets of the gateway are positive, its debts are negative. */
const balance = ({ transfers }: Records, is: (code: string) => boolean): number =>
  transfers.reduce(
    (total, { debit_code, credit_code, amount_minor }) =>
      total + (is(debit_code) ? amount_minor : 0) - (is(credit_code) ? amount_minor : 0),
    0,
  )

/** The amounts that an operator found to have moved for failed attempts. */
const onSuspense = ({ attempts }: Records): number =>
  attempts.reduce((total, { moved_minor }) => total + (moved_minor ?? 0), 0)

const transferWays: Readonly<Record<string, readonly [debit: RegExp, credit: RegExp]>> = {
  capture: [/^clearing\./, /^merchant\.payable$/],
  fee: [/^merchant\.payable$/, /^fee\.revenue$/],
  duplicate_capture: [/^clearing\./, /^refunds\.payable$/],
  refund_reserve: [/^merchant\.payable$/, /^refunds\.payable$/],
  refund_paid: [/^(refunds|merchant|unclaimed)\.payable$/, /^clearing\./],
  refund_released: [/^refunds\.payable$/, /^merchant\.payable$/],
  refund_bounced: [/^clearing\./, /^refunds\.payable$/],
  unclaimed: [/^refunds\.payable$/, /^unclaimed\.payable$/],
  reversal: [/^(merchant\.payable|suspense)$/, /^clearing\./],
  reversal_undone: [/^clearing\./, /^(merchant\.payable|suspense)$/],
  adjustment: [/^(clearing\.|suspense$)/, /^(clearing\.|suspense$)/],
}

/** Invariants of amounts: paid, fee, refunded and owed, and the ledger's agreement with them. */
export const moneyInvariants: readonly Invariant[] = [
  {
    title: '[INV-02] [INV-12] a refund that was answered exists with its amount, and one key is one refund',
    when: 'always',
    truths: ({ refunds }, { refundsAnswered }) => {
      const answers = [...refundsAnswered]
      return {
        'each answered refund exists': answers.every(([id, { amount }]) =>
          refunds.some((refund) => refund.id === id && refund.amount_minor === Math.round(amount * 100)),
        ),
        'one refund for each key': unique(answers.map(([, { key }]) => key)),
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
        events: emitted(now, 'payment.completed') === once,
        amount: moved(now, 'capture') === once * paidMinor(now),
      }
    },
  },
  {
    title:
      '[INV-11] completed and pending refunds and reversals never exceed the amount, and agree with the payment',
    when: 'always',
    truths: (now) => {
      const { refunded_minor, refund_pending_minor, reversed_minor } = now.payment
      const calls = ofMerchant(now)
      const reversed = bookedOfCharge(now).reduce(
        (total, { kind, booked_minor }) => total + (booked_minor ?? 0) * (kind === 'returned' ? -1 : 1),
        0,
      )
      return {
        'within the amount': refunded_minor + refund_pending_minor + reversed_minor <= paidMinor(now),
        reversed: reversed === reversed_minor && reversed >= 0,
        done: sum(calls.filter(({ status }) => status === 'completed')) === refunded_minor,
        pending: sum(calls.filter((refund) => !hasEnded(refund))) === refund_pending_minor,
        'refunded is all of it': (now.payment.status === 'refunded') === (refunded_minor === paidMinor(now)),
      }
    },
  },
  {
    title: '[INV-12] the same refund of one requester within ten minutes is one',
    when: 'always',
    truths: ({ refunds, events }, { before }) => {
      // The clock may step back between two rounds, so the order of ids is the order of requests within a round only.
      const known = new Set(before?.refunds.map(({ id }) => id))
      return {
        one: refunds
          .filter(({ id }) => !known.has(id))
          .every(
            (refund) =>
              !refunds.some(
                (earlier) =>
                  (known.has(earlier.id) || earlier.id < refund.id) &&
                  refund.requested_by !== null &&
                  earlier.requested_by === refund.requested_by &&
                  earlier.amount_minor === refund.amount_minor &&
                  // A failed refund may be requested again, also when its provider pays it late.
                  !events.some(({ type, refund: id }) => type === 'refund.failed' && id === earlier.id) &&
                  Date.parse(refund.created_at) - Date.parse(earlier.created_at) < TEN_MINUTES,
              ),
          ),
      }
    },
  },
  {
    title: '[INV-13] only a completed payment is refunded, and each refund has a positive amount',
    when: 'always',
    truths: (now) => ({
      paid: isPaid(now) || now.refunds.length === 0,
      something: now.refunds.every(({ amount_minor }) => amount_minor > 0),
    }),
  },
  {
    title: '[INV-14] a refund ends only by a reply or an operator, and keeps its reserve until then',
    when: 'always',
    truths: (now, scenario) => {
      const { refunds } = scenario.script
      const byHand = (id: RefundRow['id']) => scenario.refundVerdicts.has(id)
      const owed = sum(ofMerchant(now).filter((refund) => !hasEnded(refund)))
      const merchants = new Set(ofMerchant(now).map(({ id }) => uuidOf(id)))
      const reserve = { ...now, transfers: now.transfers.filter(({ cause_id }) => merchants.has(cause_id)) }
      return {
        'completed by a reply or an operator': now.refunds.every(
          ({ id, key, status }) =>
            status !== 'completed' ||
            scenario.refundVerdicts.get(id) === true ||
            has(refunds.get(key), 'paid', 'paid, no amount', 'refunded'),
        ),
        'failed by a reply or an operator': now.refunds.every((refund) => {
          const entry = refunds.get(refund.key)
          const before = scenario.before?.refunds ?? []
          return (
            refund.status !== 'failed' ||
            hadFailed(before, refund) ||
            byHand(refund.id) ||
            refund.bounced_at !== null ||
            refund.unclaimed_at !== null ||
            has(entry, 'refused', 'unavailable') ||
            (!entry && scenario.script.unprocessed.has(refund.key)) ||
            // Only this provider finds every refund.
            (scenario.sequence.method === 'onemoney' && neverReceived(scenario, refund, entry, before))
          )
        }),
        reserve: balance(reserve, (code) => code === 'refunds.payable') + owed === 0,
      }
    },
  },
  {
    title:
      '[INV-15] every transfer is between its two kinds of account, and each account has the expected balance',
    when: 'always',
    truths: (now) => {
      const twice = ofPayer(now)
      const returned = sum(twice.filter(({ status }) => status === 'completed'))
      const unclaimed = sum(twice.filter(isUnclaimed))
      const owed = sum(twice.filter((refund) => !hasEnded(refund)))
      const { refunded_minor, refund_pending_minor, reversed_minor } = now.payment
      const takenTwice = moved(now, 'reversal') - moved(now, 'reversal_undone') - reversed_minor
      const is = (code: string) => (each: string) => each === code
      return {
        ways: now.transfers.every(({ kind, debit_code, credit_code, amount_minor }) => {
          const [debit, credit] = transferWays[kind] ?? []
          return amount_minor > 0 && debit?.test(debit_code) === true && credit?.test(credit_code) === true
        }),
        'all accounts sum to zero': balance(now, () => true) === 0,
        'owed to payers': balance(now, is('refunds.payable')) === -(refund_pending_minor + owed) + 0,
        'held by the provider':
          balance(now, (code) => code.startsWith('clearing.')) ===
          moved(now, 'capture') +
            owed +
            unclaimed -
            refunded_minor -
            reversed_minor -
            takenTwice +
            onSuspense(now),
        'differences that an operator found, and reversed duplicates, are on suspense':
          balance(now, is('suspense')) === takenTwice - onSuspense(now),
        'owed to payers who did not claim it': balance(now, is('unclaimed.payable')) === 0 - unclaimed,
        'owed to the merchant':
          balance(now, is('merchant.payable')) ===
          0 -
            (moved(now, 'capture') -
              moved(now, 'fee') -
              refunded_minor -
              refund_pending_minor -
              reversed_minor),
        earned: balance(now, is('fee.revenue')) === 0 - moved(now, 'fee'),
        'refunds paid':
          moved(now, 'refund_paid') - moved(now, 'refund_bounced') === refunded_minor + returned,
      }
    },
  },
  {
    title: '[INV-18] every transfer has its cause, and every cause its transfers',
    when: 'always',
    truths: (now) => {
      const causes = new Set([
        ...[...now.attempts, ...now.refunds].map(({ id }) => uuidOf(id)),
        ...now.anomalies.map(({ id }) => id),
      ])
      const isFirst = ({ replaces_id }: RefundRow) => replaces_id === null
      const booked = now.anomalies.filter(({ booked_minor }) => booked_minor !== null)
      const of = (kind: string) => now.transfers.filter((transfer) => transfer.kind === kind)
      const caused = (kind: string, ids: readonly { readonly id: string }[]) =>
        unique(of(kind).map(({ cause_id }) => cause_id)) && of(kind).length === ids.length
      return {
        causes: now.transfers.every(({ kind, cause_id }) => kind === 'adjustment' || causes.has(cause_id)),
        reserves: caused('refund_reserve', ofMerchant(now).filter(isFirst)),
        duplicates: caused('duplicate_capture', ofPayer(now).filter(isFirst)),
        paid: caused('refund_paid', now.refunds.filter(wasPaid)),
        bounced: caused(
          'refund_bounced',
          now.refunds.filter(({ replaces_id }) => replaces_id !== null),
        ),
        'each bounced refund is replaced once':
          now.refunds
            .flatMap(({ replaces_id }) => replaces_id ?? [])
            .sort()
            .join() ===
          now.refunds
            .filter(({ bounced_at }) => bounced_at !== null)
            .map(({ id }) => uuidOf(id))
            .sort()
            .join(),
        reversals: caused(
          'reversal',
          booked.filter(({ kind }) => kind !== 'returned'),
        ),
        returns: caused(
          'reversal_undone',
          booked.filter(({ kind }) => kind === 'returned'),
        ),
      }
    },
  },
  {
    title: '[INV-19] [INV-20] the requested amount is stored, booked and emitted, in one currency',
    when: 'always',
    truths: (now, { sequence }) => {
      const { minor } = fromMajor(sequence.amount, 'USD')
      return {
        isKept: BigInt(now.payment.amount_minor) === minor,
        currency: now.transfers.every(({ currency }) => currency === 'USD'),
        emitted: now.events.every(({ refunded }, nth) =>
          nth === now.events.length - 1 ? Math.round(refunded * 100) === now.payment.refunded_minor : true,
        ),
      }
    },
  },
  {
    title: '[INV-21] a fee is charged once at capture, by the price list, and never changes',
    when: 'always',
    truths: (now, { sequence }) => {
      const fee = Number(feeInModel(sequence.method, money(BigInt(paidMinor(now)), 'USD')).minor)
      return {
        'on the payment': now.payment.fee_minor === (isPaid(now) ? fee : null),
        'in the ledger': moved(now, 'fee') === (isPaid(now) ? fee : 0),
        once: count(now.transfers, ({ kind }) => kind === 'fee') === (isPaid(now) && fee > 0 ? 1 : 0),
      }
    },
  },
  {
    title:
      '[INV-22] [INV-23] a second success is owed to the payer and refunded once; its refund never fails without a successor',
    when: 'always',
    truths: (now) => ({
      'one refund for each':
        count(ofPayer(now), ({ replaces_id }) => replaces_id === null) ===
        count(now.attempts, ({ status }) => status === 'duplicate'),
      booked:
        moved(now, 'duplicate_capture') === sum(ofPayer(now).filter((each) => each.replaces_id === null)),
      'never fails': ofPayer(now).every(
        (refund) => refund.status !== 'failed' || refund.bounced_at !== null || isUnclaimed(refund),
      ),
      whole: ofPayer(now).every(({ amount_minor }) => amount_minor === now.payment.amount_minor),
    }),
  },
]
