import type { Behaviour } from './behaviour.ts'
import { openJournal } from './journal.ts'
import type { Verdict } from './verdicts.ts'

/** The part of a charge that only Paynow has. */
export interface PaynowFacts {
  readonly integration: string
  readonly key: string
  /** The merchant's reference. */
  readonly reference: string
  readonly method: 'ecocash' | 'onemoney' | 'innbucks' | 'page'
  readonly returnUrl: string
  /** The address at which the merchant called the simulated Paynow. */
  readonly base: string
  /** The unguessable part of the addresses of its status and its page. */
  readonly guid: string
}

export interface Transaction {
  readonly sequence: number
  readonly kind: 'charge' | 'refund'
  readonly correlator: string
  /** Empty for a charge without a phone. */
  readonly number: string
  readonly minor: number
  readonly currency: 'USD' | 'ZWG'
  readonly notifyUrl: string | null
  readonly referenceCode: string
  readonly remarks: string
  readonly shopName: string
  readonly merchantNumber: string
  /** Absent for a charge by EcoCash's own protocol. */
  readonly paynow?: PaynowFacts
  /** The reference in the subscriber's message. */
  readonly reference: string
  readonly originalReference: string | null
  readonly createdAt: number
  /** reversed: the wallet reversed it after it was paid, without a request. */
  status: 'pending' | 'completed' | 'failed' | 'refunded' | 'reversed'
  /** The provider has no status for what it did to the charge: look-ups name the status of a paid one. */
  isUnreported?: boolean
  message: string | null
  refundedMinor: number
  /** The time at which the charge was paid, for statements. */
  paidAt?: number
  /** Refunds that the provider's staff have made without a request. */
  portalRefunds?: readonly { readonly minor: number; readonly at: number }[]
  endedAt: number | null
  /** Whether the handset shows the prompt. */
  prompt: boolean
  /** The automatic outcome, and its time. */
  planned: { readonly verdict: Verdict; readonly at: number } | null
  behaviour: Behaviour
  queries: number
  /** The number of times that the merchant has sent it; the first alone is processed. */
  requests: number
  callbacksSent: number
}

/** The wallet's records, also by their reference. Without a folder they are kept in memory only. */
export function openLedger(folder: string | null, keep: number) {
  const journal = openJournal<Transaction>({
    folder,
    file: 'ecocash.jsonl',
    keep,
    idOf: ({ correlator }) => correlator,
  })
  const byReference = new Map(journal.all().map(({ reference, correlator }) => [reference, correlator]))
  let last = journal.all().at(-1)?.sequence ?? 0

  return {
    nextSequence: (): number => last + 1,
    get: journal.get,
    getByReference: (reference: string): Transaction | null => journal.get(byReference.get(reference) ?? ''),
    all: journal.all,
    ofNumber: (number: string): Transaction[] =>
      journal.all().filter((transaction) => transaction.number === number),
    /** Stores the transaction as it now is; returns those that were removed for it. */
    save(transaction: Transaction): Transaction[] {
      byReference.set(transaction.reference, transaction.correlator)
      last = Math.max(last, transaction.sequence)
      const removed = journal.save(transaction)
      for (const { reference } of removed) byReference.delete(reference)
      return removed
    },
    close: journal.close,
  }
}
export type Ledger = ReturnType<typeof openLedger>
