import { type Journal, openJournal } from '../journal.ts'
import { createTimers } from '../timers.ts'
import { decisionOf, PROMPT_LIFE_MS, type Verdict } from '../verdicts.ts'
import type { PesepayBehaviour, Status } from './behaviour.ts'

export interface PesepayPayment {
  readonly reference: string
  readonly sequence: number
  readonly merchantReference: string | null
  readonly minor: number
  readonly currency: 'USD' | 'ZWG'
  readonly reason: string
  readonly resultUrl: string
  readonly returnUrl: string
  /** The address at which the merchant called the simulated Pesepay. */
  readonly base: string
  /** A payment that a wallet is asked for without the page; null: a card at the page. */
  readonly wallet: { readonly method: 'ecocash' | 'innbucks'; readonly phone: string } | null
  readonly createdAt: number
  status: Status
  /** The automatic status, and its time. */
  planned: { readonly status: Status; readonly at: number } | null
  behaviour: PesepayBehaviour
}

interface PaymentsDeps {
  readonly folder: string
  readonly keep: number
  readonly speed: number
  readonly now: () => number
  readonly notify: (payment: PesepayPayment) => void
}

/** Pesepay does not publish the life of a page. */
const PAGE_LIFE_MS = 30 * 60_000

/** The numbers of the provider's sandbox, beside those of every wallet of the simulator. */
const sandboxNumbers: Readonly<Record<string, Status>> = { '0777777777': 'SUCCESS', '0770000000': 'FAILED' }

const statuses: Readonly<Record<Verdict, Status>> = {
  success: 'SUCCESS',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  wrong_pin: 'AUTHORIZATION_FAILED',
  limit_exceeded: 'DECLINED',
  barred: 'DECLINED',
  cancelled: 'CANCELLED',
  expired: 'TIME_OUT',
}

/** The end of a payment without a decision at the page. */
function endingOf(wallet: PesepayPayment['wallet']): { status: Status; afterMs: number } {
  if (wallet === null) return { status: 'CLOSED_PERIOD_ELAPSED', afterMs: PAGE_LIFE_MS }
  const sandbox = sandboxNumbers[wallet.phone]
  if (sandbox !== undefined) return { status: sandbox, afterMs: 5000 }
  const decision = wallet.method === 'ecocash' ? decisionOf(wallet.phone) : null
  return decision === null
    ? { status: 'TIME_OUT', afterMs: PROMPT_LIFE_MS }
    : { status: statuses[decision.verdict], afterMs: decision.afterMs }
}

export const isOpen = ({ status }: PesepayPayment): boolean =>
  status === 'INITIATED' || status === 'PENDING' || status === 'PROCESSING'

/** Stores the payments, and changes each at its planned time. */
function createLifecycle({ speed, now, notify }: PaymentsDeps, journal: Journal<PesepayPayment>) {
  const timers = createTimers()

  const plan = (status: Status, afterMs: number) => ({ status, at: now() + afterMs / speed })

  function save(payment: PesepayPayment): void {
    for (const removed of journal.save(payment)) timers.cancel(removed.reference)
    schedule(payment)
  }

  function schedule(payment: PesepayPayment): void {
    const { reference, planned } = payment
    timers.cancel(reference)
    if (planned === null) return
    const waitMs = planned.at - now()
    if (waitMs <= 0) change(payment, planned.status)
    else timers.set(reference, waitMs, () => schedule(payment))
  }

  function change(payment: PesepayPayment, status: Status): void {
    const late = payment.behaviour.lateSuccessAfterMs
    payment.status = status
    const hasFailed = !isOpen(payment) && status !== 'SUCCESS' && status !== 'REVERSED'
    payment.planned = late !== undefined && hasFailed ? plan('SUCCESS', late) : null
    notify(payment)
    save(payment)
  }

  return { plan, save, schedule, change, stop: timers.stop }
}

/** The life of payments: a payment is open until the payer decides at the page or its time is over. */
export function createPayments(deps: PaymentsDeps) {
  const { folder, keep, now } = deps
  const journal = openJournal<PesepayPayment>({
    folder,
    file: 'pesepay.jsonl',
    keep,
    idOf: ({ reference }) => reference,
    isRecord: ({ reference, sequence }) => typeof reference === 'string' && typeof sequence === 'number',
  })
  const lifecycle = createLifecycle(deps, journal)
  let last = Math.max(0, ...journal.all().map(({ sequence }) => sequence))

  return {
    get: journal.get,
    all: journal.all,
    change: lifecycle.change,

    open(
      input: Pick<
        PesepayPayment,
        'merchantReference' | 'minor' | 'currency' | 'reason' | 'resultUrl' | 'returnUrl' | 'base' | 'wallet'
      >,
      behaviour: PesepayBehaviour,
    ): PesepayPayment {
      last += 1
      const ending = behaviour.ending ?? endingOf(input.wallet)
      const payment: PesepayPayment = {
        ...input,
        sequence: last,
        reference: `P${String(now())}-${String(last).padStart(5, '0')}`,
        createdAt: now(),
        status: 'INITIATED',
        planned: lifecycle.plan(ending.status, ending.afterMs),
        behaviour,
      }
      lifecycle.save(payment)
      return payment
    },

    /** Makes the changes whose time passed while the simulator was down. */
    resume(): void {
      for (const payment of journal.all()) lifecycle.schedule(payment)
    },

    stop(): void {
      lifecycle.stop()
      journal.close()
    },
  }
}
export type Payments = ReturnType<typeof createPayments>
