import type { Behaviour } from './behaviour.ts'
import type { Ledger, Transaction } from './ledger.ts'
import { makeReference } from './reference.ts'
import {
  type Decision,
  decisionOf,
  PROMPT_LIFE_MS,
  type Verdict,
  verdictOfPin,
  verdicts,
} from './verdicts.ts'

export interface WalletDeps {
  readonly ledger: Ledger
  readonly speed: number
  readonly now: () => number
  /** Sends the callback; resolves after the attempt. */
  readonly notify: (transaction: Transaction) => Promise<void>
}

export type ChargeInput = Pick<
  Transaction,
  | 'correlator'
  | 'number'
  | 'minor'
  | 'currency'
  | 'notifyUrl'
  | 'referenceCode'
  | 'remarks'
  | 'shopName'
  | 'merchantNumber'
  | 'paynow'
>

/** The options that a refund inherits from its charge; the other options concern the charge's own replies. */
const ofRefund = ({ vocabulary, callback, callbackTimes }: Behaviour): Behaviour => ({
  ...(vocabulary === undefined ? {} : { vocabulary }),
  ...(callback === 'lost' ? { callback } : {}),
  ...(callbackTimes === undefined ? {} : { callbackTimes }),
})

/** The life of charges and refunds: what is decided, when, and by whom. */
export function createWallet({ ledger, speed, now, notify }: WalletDeps) {
  const timers = new Map<string, NodeJS.Timeout>()

  function save(transaction: Transaction): void {
    for (const { correlator } of ledger.save(transaction)) cancel(correlator)
  }

  function cancel(correlator: string): void {
    clearTimeout(timers.get(correlator))
    timers.delete(correlator)
  }

  function blank(input: ChargeInput, kind: Transaction['kind'], behaviour: Behaviour): Transaction {
    const sequence = ledger.nextSequence()
    return {
      ...input,
      sequence,
      kind,
      reference: makeReference(kind, sequence, now()),
      originalReference: null,
      createdAt: now(),
      status: 'pending',
      message: null,
      refundedMinor: 0,
      endedAt: null,
      prompt: false,
      planned: null,
      behaviour,
      queries: 0,
      callbacksSent: 0,
    }
  }

  const plan = ({ verdict, afterMs }: Decision) => ({ verdict, at: now() + afterMs / speed })

  /** Lets fall what is due and sets the clock for what is not. */
  function schedule(transaction: Transaction): Promise<void> {
    const { correlator, planned } = transaction
    cancel(correlator)
    if (planned === null) return Promise.resolve()
    const waitMs = planned.at - now()
    if (waitMs <= 0) return settle(transaction, planned.verdict)
    timers.set(
      correlator,
      setTimeout(() => void schedule(transaction), waitMs),
    )
    return Promise.resolve()
  }

  function settle(transaction: Transaction, verdict: Verdict): Promise<void> {
    cancel(transaction.correlator)
    const { status, message } = verdicts[verdict]
    const late = transaction.behaviour.lateSuccessAfterMs
    Object.assign(transaction, {
      status,
      message,
      prompt: false,
      endedAt: now(),
      planned: status === 'failed' && late !== undefined ? plan({ verdict: 'success', afterMs: late }) : null,
    })
    save(transaction)
    const notified = notify(transaction)
    void schedule(transaction)
    return notified
  }

  return {
    /** Takes a charge in; nothing falls before `start`. */
    open(input: ChargeInput, behaviour: Behaviour): Transaction {
      const transaction = blank(input, 'charge', behaviour)
      const early: Decision | null =
        behaviour.callback === 'before_reply' ? { verdict: 'success', afterMs: 0 } : null
      const decision = behaviour.decision ?? decisionOf(input.number) ?? early
      transaction.prompt = decision === null && input.number !== ''
      if (behaviour.neverResolves !== true) {
        transaction.planned = plan(decision ?? { verdict: 'expired', afterMs: PROMPT_LIFE_MS })
      }
      save(transaction)
      return transaction
    },

    start: schedule,

    /** For a callback that overtakes the reply: what is planned falls now. */
    startNow: (transaction: Transaction): Promise<void> =>
      transaction.planned === null ? Promise.resolve() : settle(transaction, transaction.planned.verdict),

    /** The subscriber answers the prompt; false when there is none any more. */
    answer(transaction: Transaction, answer: { pin: string } | { decline: true }): boolean {
      if (!transaction.prompt) return false
      if (transaction.behaviour.neverResolves === true) {
        transaction.prompt = false
        save(transaction)
        return true
      }
      void settle(transaction, 'pin' in answer ? verdictOfPin(answer.pin) : 'cancelled')
      return true
    },

    /** The payer decides at a page of the provider; nothing happens when the charge has ended. */
    decide(transaction: Transaction, verdict: Verdict): void {
      if (transaction.status === 'pending') void settle(transaction, verdict)
    },

    /** Changes how an existing charge is treated from now on. */
    adjust(transaction: Transaction, behaviour: Behaviour): void {
      transaction.behaviour = { ...transaction.behaviour, ...behaviour }
      transaction.queries = 0
      if (behaviour.neverResolves === true) transaction.planned = null
      else if (behaviour.decision !== undefined && transaction.status === 'pending') {
        transaction.prompt = false
        transaction.planned = plan(behaviour.decision)
      }
      save(transaction)
      void schedule(transaction)
    },

    /** Reverses a paid charge without a request and sends a callback; false when there is no paid charge. */
    reverse(transaction: Transaction): boolean {
      if (transaction.kind !== 'charge' || transaction.status !== 'completed') return false
      Object.assign(transaction, { status: 'reversed', message: 'Reversed by EcoCash', endedAt: now() })
      save(transaction)
      void notify(transaction)
      return true
    },

    refund(original: Transaction, input: ChargeInput): Transaction {
      const { refund: mode = 'completed', refundAfterMs } = original.behaviour
      const transaction: Transaction = {
        ...blank(input, 'refund', ofRefund(original.behaviour)),
        originalReference: original.reference,
      }
      if (mode === 'declined') {
        Object.assign(transaction, { status: 'failed', message: 'Refund declined', endedAt: now() })
      } else {
        original.refundedMinor += input.minor
        if (original.refundedMinor === original.minor) original.status = 'refunded'
        save(original)
      }
      if (mode === 'completed') {
        Object.assign(transaction, { status: 'completed', message: 'Refunded', endedAt: now() })
      } else if (mode === 'pending' && refundAfterMs !== undefined) {
        transaction.planned = plan({ verdict: 'success', afterMs: refundAfterMs })
      }
      save(transaction)
      if (transaction.status === 'pending') void schedule(transaction)
      else void notify(transaction)
      return transaction
    },

    save,

    /** After a restart: what fell due meanwhile falls now. */
    resume(): void {
      for (const transaction of ledger.all()) void schedule(transaction)
    },

    stop(): void {
      for (const correlator of timers.keys()) cancel(correlator)
    },
  }
}
export type Wallet = ReturnType<typeof createWallet>
