import { openJournal } from '../journal.ts'
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

/** Nobody publishes the life of a page. */
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

/** The end of a payment that nobody decides at the page. */
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

/** The life of payments: a payment is open until the payer decides at the page or its time is over. */
export function createPayments({ folder, keep, speed, now, notify }: PaymentsDeps) {
  const journal = openJournal<PesepayPayment>({
    folder,
    file: 'pesepay.jsonl',
    keep,
    idOf: ({ reference }) => reference,
    isRecord: ({ reference, sequence }) => typeof reference === 'string' && typeof sequence === 'number',
  })
  const timers = new Map<string, NodeJS.Timeout>()
  let last = Math.max(0, ...journal.all().map(({ sequence }) => sequence))

  function save(payment: PesepayPayment): void {
    for (const removed of journal.save(payment)) cancel(removed.reference)
  }

  function cancel(reference: string): void {
    clearTimeout(timers.get(reference))
    timers.delete(reference)
  }

  const plan = (status: Status, afterMs: number) => ({ status, at: now() + afterMs / speed })

  function schedule(payment: PesepayPayment): void {
    const { reference, planned } = payment
    cancel(reference)
    if (planned === null) return
    const waitMs = planned.at - now()
    if (waitMs <= 0) change(payment, planned.status)
    else
      timers.set(
        reference,
        setTimeout(() => schedule(payment), waitMs),
      )
  }

  function change(payment: PesepayPayment, status: Status): void {
    const late = payment.behaviour.lateSuccessAfterMs
    payment.status = status
    const hasFailed = !isOpen(payment) && status !== 'SUCCESS' && status !== 'REVERSED'
    payment.planned = late !== undefined && hasFailed ? plan('SUCCESS', late) : null
    save(payment)
    notify(payment)
    schedule(payment)
  }

  return {
    get: journal.get,
    all: journal.all,
    change,

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
        planned: plan(ending.status, ending.afterMs),
        behaviour,
      }
      save(payment)
      schedule(payment)
      return payment
    },

    /** After a restart: what fell due meanwhile falls now. */
    resume(): void {
      for (const payment of journal.all()) schedule(payment)
    },

    stop(): void {
      for (const reference of timers.keys()) cancel(reference)
      journal.close()
    },
  }
}
export type Payments = ReturnType<typeof createPayments>
