import { openJournal } from '../journal.ts'
import { createSchedule } from '../schedule.ts'
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
  /** The times of both changes, for statements. */
  paidAt?: number
  reversedAt?: number
  /** The automatic status, and its time. */
  planned: { readonly status: Status; readonly at: number } | null
  behaviour: PesepayBehaviour
}

interface PaymentsDeps {
  readonly folder: string | null
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

/** The life of payments: a payment is open until the payer decides at the page or its time is over. */
export function createPayments({ folder, keep, speed, now, notify }: PaymentsDeps) {
  const idOf = ({ reference }: PesepayPayment) => reference
  const journal = openJournal<PesepayPayment>({ folder, file: 'pesepay.jsonl', keep, idOf })
  const schedule = createSchedule(journal, {
    ...{ idOf, speed, now },
    onDue: (payment, { status }) => change(payment, status),
  })
  let last = journal.all().at(-1)?.sequence ?? 0

  const plan = (status: Status, afterMs: number) => ({ status, at: schedule.timeAfter(afterMs) })

  function save(payment: PesepayPayment): void {
    schedule.save(payment)
    schedule.start(payment)
  }

  function change(payment: PesepayPayment, status: Status): void {
    const late = payment.behaviour.lateSuccessAfterMs
    payment.status = status
    if (status === 'SUCCESS') payment.paidAt ??= now()
    if (status === 'REVERSED') payment.reversedAt ??= now()
    const hasFailed = !isOpen(payment) && status !== 'SUCCESS' && status !== 'REVERSED'
    payment.planned = late !== undefined && hasFailed ? plan('SUCCESS', late) : null
    notify(payment)
    save(payment)
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
      return payment
    },

    resume: schedule.resume,
    stop: schedule.stop,
  }
}
export type Payments = ReturnType<typeof createPayments>
