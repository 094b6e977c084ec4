import type { Behaviour } from './behaviour.ts'
import type { Ledger, Transaction } from './ledger.ts'
import { makeReference } from './reference.ts'
import { createSchedule } from './schedule.ts'
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

/** Stores the transactions, and decides each at its planned time. */
function createLifecycle({ ledger, speed, now, notify }: WalletDeps) {
  const schedule = createSchedule(ledger, {
    idOf: ({ correlator }) => correlator,
    ...{ speed, now },
    onDue: (transaction, { verdict }) => void conclude(transaction, verdict),
  })

  const plan = ({ verdict, afterMs }: Decision) => ({ verdict, at: schedule.timeAfter(afterMs) })

  /** Resolves after the attempt of the callback. */
  function conclude(transaction: Transaction, verdict: Verdict): Promise<void> {
    const { status, message } = verdicts[verdict]
    const late = transaction.behaviour.lateSuccessAfterMs
    Object.assign(transaction, {
      status,
      message,
      prompt: false,
      endedAt: now(),
      ...(status === 'completed' && transaction.kind === 'charge' && { paidAt: now() }),
      planned: status === 'failed' && late !== undefined ? plan({ verdict: 'success', afterMs: late }) : null,
    })
    schedule.save(transaction)
    const notified = notify(transaction)
    schedule.start(transaction)
    return notified
  }

  return { ...schedule, plan, conclude }
}
type Lifecycle = ReturnType<typeof createLifecycle>

function newTransaction(
  { ledger, now }: WalletDeps,
  kind: Transaction['kind'],
  input: ChargeInput,
  behaviour: Behaviour,
): Transaction {
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
    requests: 1,
    callbacksSent: 0,
  }
}

/** Stores a charge; its decision takes effect after `start` alone. */
const createOpen =
  (deps: WalletDeps, { save, plan }: Lifecycle) =>
  (input: ChargeInput, behaviour: Behaviour): Transaction => {
    const transaction = newTransaction(deps, 'charge', input, behaviour)
    const early: Decision | null =
      behaviour.callback === 'before_reply' ? { verdict: 'success', afterMs: 0 } : null
    const decision = behaviour.decision ?? decisionOf(input.number) ?? early
    transaction.prompt = decision === null && input.number !== ''
    if (behaviour.neverResolves !== true) {
      transaction.planned = plan(decision ?? { verdict: 'expired', afterMs: PROMPT_LIFE_MS })
    }
    save(transaction)
    return transaction
  }

/** Refunds a charge as its behaviour specifies. */
const createRefund =
  (deps: WalletDeps, { save, plan, start }: Lifecycle) =>
  (original: Transaction, input: ChargeInput): Transaction => {
    const { now, notify } = deps
    const { refund: mode = 'completed', refundAfterMs } = original.behaviour
    const transaction: Transaction = {
      ...newTransaction(deps, 'refund', input, ofRefund(original.behaviour)),
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
    if (transaction.status === 'pending') start(transaction)
    else void notify(transaction)
    return transaction
  }

/** The life of charges and refunds: their decisions, the times of these, and their causes. */
export function createWallet(deps: WalletDeps) {
  const { now, notify } = deps
  const lifecycle = createLifecycle(deps)
  const { save, plan, start, conclude, resume, stop } = lifecycle

  return {
    open: createOpen(deps, lifecycle),

    /** Applies the planned decision at once, so that its callback precedes the reply. */
    startNow: (transaction: Transaction): Promise<void> =>
      transaction.planned === null ? Promise.resolve() : conclude(transaction, transaction.planned.verdict),

    /** The subscriber answers the prompt; false when there is no open prompt. */
    answer(transaction: Transaction, answer: { pin: string } | { decline: true }): boolean {
      if (!transaction.prompt) return false
      if (transaction.behaviour.neverResolves === true) {
        transaction.prompt = false
        save(transaction)
        return true
      }
      void conclude(transaction, 'pin' in answer ? verdictOfPin(answer.pin) : 'cancelled')
      return true
    },

    /** The payer decides at a page of the provider; nothing happens when the charge has ended. */
    decide(transaction: Transaction, verdict: Verdict): void {
      if (transaction.status === 'pending') void conclude(transaction, verdict)
    },

    /** Changes the behaviour of an existing charge. */
    adjust(transaction: Transaction, behaviour: Behaviour): void {
      transaction.behaviour = { ...transaction.behaviour, ...behaviour }
      transaction.queries = 0
      if (behaviour.neverResolves === true) transaction.planned = null
      else if (behaviour.decision !== undefined && transaction.status === 'pending') {
        transaction.prompt = false
        transaction.planned = plan(behaviour.decision)
      }
      save(transaction)
      start(transaction)
    },

    /**
     * Reverses a paid charge without a request; false when there is no paid charge.
     * @param isReported whether look-ups have a status for it, and a callback is sent
     */
    reverse(transaction: Transaction, isReported = true): boolean {
      if (transaction.kind !== 'charge' || transaction.status !== 'completed') return false
      Object.assign(transaction, { status: 'reversed', message: 'Reversed by EcoCash', endedAt: now() })
      transaction.isUnreported = !isReported
      save(transaction)
      if (isReported) void notify(transaction)
      return true
    },

    /** The provider's staff refund a part of a paid charge without a request; false when so much is not left of it. */
    refundOutside(transaction: Transaction, minor: number): boolean {
      const isPaid = transaction.status === 'completed' || transaction.status === 'refunded'
      if (transaction.kind !== 'charge' || !isPaid || transaction.refundedMinor + minor > transaction.minor)
        return false
      transaction.refundedMinor += minor
      transaction.portalRefunds = [...(transaction.portalRefunds ?? []), { minor, at: now() }]
      Object.assign(transaction, { status: 'refunded', message: 'Refunded', endedAt: now() })
      save(transaction)
      void notify(transaction)
      return true
    },

    refund: createRefund(deps, lifecycle),
    /** Counts a request for a transaction that exists; false when there is none. */
    repeat(correlator: string): boolean {
      const known = deps.ledger.get(correlator)
      if (known === null) return false
      known.requests += 1
      save(known)
      return true
    },
    save,
    start,
    resume,
    stop,
  }
}
export type Wallet = ReturnType<typeof createWallet>
