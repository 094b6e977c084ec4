import { setTimeout as sleep } from 'node:timers/promises'
import { callOk, callsWith } from '@muripo/rig/call'
import { submitForm } from '@muripo/rig/payer'
import type { Chance } from '../lib/chance.ts'
import { logProgress } from '../lib/report.ts'
import { type Route, routes } from './behaviours.ts'

export interface PayersOptions {
  readonly gateway: string
  readonly simulator: string
  readonly key: string
  readonly attempts: number
  readonly concurrency: number
  readonly chance: Chance
}

export interface Payers {
  readonly attempts: number
  readonly payments: number
  readonly refunds: number
  /** Captures that were answered as completed, and authorisations that the merchant cancelled. */
  readonly captures: number
  readonly voids: number
  /** Forms that the gateway refused, such as one beside an open attempt. */
  readonly refused: number
}

const WAIT_MS = 2500
const POLL_MS = 400
/** Longer than the simulator delays a reply. */
const FORM_TIMEOUT_MS = 60_000
const LOG_EVERY_MS = 15_000
const OVERLOADED_PAUSE_MS = 1000
const OVERLOADED_MOST = 30

/** Payers who pay, fail, try again and get refunds, over all providers, until enough attempts were started. */
export async function runPayers(options: PayersOptions): Promise<Payers> {
  const run = new PayerRun(options)
  const { done } = run
  const timer = setInterval(
    () => logProgress(`${done.attempts} attempts, ${done.payments} payments`),
    LOG_EVERY_MS,
  )
  try {
    await inParallel(options.concurrency, async () => {
      while (done.attempts < options.attempts) await run.visit()
    })
  } finally {
    clearInterval(timer)
  }
  await inParallel(options.concurrency, () => run.cancelPending())
  return done
}

const inParallel = (count: number, work: () => Promise<void>) =>
  Promise.all(Array.from({ length: count }, work))

class PayerRun {
  readonly done = { attempts: 0, payments: 0, refunds: 0, captures: 0, voids: 0, refused: 0 }
  private readonly options: PayersOptions
  private readonly chance: Chance
  private readonly callOnce: ReturnType<typeof callsWith>
  private readonly pending: string[] = []
  private numbers = 0
  private keys = 0

  constructor(options: PayersOptions) {
    this.options = options
    this.callOnce = callsWith(options.gateway, options.key)
    this.chance = options.chance
  }

  async visit(): Promise<void> {
    const route = routes[Math.floor(this.chance.next() * routes.length)] as Route
    const amount = (100 + Math.floor(this.chance.next() * 9900)) / 100
    const order = {
      amount,
      currency: route.currency,
      description: 'Two shirts',
      ...(route.isManual && { capture: 'manual' }),
    }
    const { status, body } = await this.call('/payments', order, `soak-${this.keys++}`)
    if (status !== 201) throw new Error(`a payment was answered with ${status}: ${JSON.stringify(body)}`)
    this.done.payments += 1
    const [id, page] = [String(body.id), String(body.payment_url)]
    for (let times = 0; times < 3; times += 1) {
      if (!(await this.attempt(page, route))) break
      if (await this.isPaid(id)) {
        if (route.isManual) await this.instruct(id, amount)
        if (this.chance.percent(15))
          await this.refund(id, this.chance.percent(50) ? Math.floor(amount * 40) / 100 : null)
        return
      }
      // The payer comes back after a while, and may find the charge still open.
      if (this.chance.percent(50)) break
    }
    this.pending.push(id)
  }

  /** An order that was not paid ends as soon as no charge of it is open. */
  async cancelPending(): Promise<void> {
    for (let id = this.pending.pop(); id !== undefined; id = this.pending.pop())
      await this.call(`/payments/${id}/cancel`, {})
  }

  /** Presses the button of the payer's page. */
  private async attempt(page: string, { method, prefix, control, behaviour }: Route): Promise<boolean> {
    this.numbers += 1
    const phone = prefix === undefined ? '' : `${prefix}${String(5_000_000 + this.numbers).slice(-7)}`
    await callOk('POST', `${this.options.simulator}${control}`, {
      body: { ...(prefix && { msisdn: phone }), behaviour: behaviour(this.chance) },
    })
    this.done.attempts += 1
    if ((await submitForm(page, { method, phone }, { timeoutMs: FORM_TIMEOUT_MS })) === 303) return true
    this.done.attempts -= 1
    this.done.refused += 1
    return false
  }

  /** Whether the payer has done their part: the payment is completed, or authorised. */
  private async isPaid(id: string): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
      await sleep(POLL_MS)
      const { status } = (await this.call(`/payments/${id}`)).body
      if (status === 'completed' || status === 'authorized') return true
    }
    return false
  }

  /** Captures all or a part, cancels, does both at once, or leaves the authorisation to its end. A capture is requested twice. */
  private async instruct(id: string, amount: number): Promise<void> {
    const wish = this.chance.next()
    const part = this.chance.percent(40) ? { amount: Math.floor(amount * 30) / 100 } : {}
    const name = `soak-${this.keys++}`
    const capture = () => this.call(`/payments/${id}/capture`, part, name)
    const cancel = () => this.call(`/payments/${id}/cancel`, {})
    const isCapturing = wish < 0.7
    const isCancelling = wish >= 0.6 && wish < 0.85
    const [captured, cancelled] = await Promise.all([
      isCapturing ? capture() : null,
      isCancelling ? cancel() : null,
    ])
    if (captured?.body.status === 'completed') this.done.captures += 1
    if (cancelled?.body.status === 'failed') this.done.voids += 1
    if (isCapturing) await capture()
  }

  private async refund(payment: string, amount: number | null): Promise<void> {
    const requested = { payment, ...(amount !== null && { amount }) }
    const { status } = await this.call('/refunds', requested, `soak-${this.keys++}`)
    if (status === 201) this.done.refunds += 1
  }

  /** Repeats a call that the gateway refused under load, with the same key. */
  private async call(path: string, body?: object, idempotencyKey?: string) {
    for (let times = 1; ; times += 1) {
      const answer = await this.callOnce<Record<string, unknown>>(
        body ? 'POST' : 'GET',
        path,
        body,
        idempotencyKey,
      )
      if (answer.status !== 503 || times === OVERLOADED_MOST) return answer
      await sleep(OVERLOADED_PAUSE_MS)
    }
  }
}
