import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, callsWith } from '@muripo/rig/call'
import type { Chance } from '@muripo/rig/chance'
import type { Route } from '@muripo/rig/misbehaviour'
import { submitForm } from '@muripo/rig/payer'
import type { Simulator } from '@muripo/rig/simulator'

/** Requests of a merchant's server with their responses. Each request is repeated until it has a response. */
interface ShopRequest {
  readonly key: string
  readonly amount: number
  answered: string | null
}

export interface Order extends ShopRequest {
  readonly route: Route
  paymentUrl: string
  cancelled: boolean
  /** The amount of a capture that was accepted. */
  captured: number | null
  /** By `performance.now()`. */
  answeredAt: number | null
}

export interface RefundRequest extends ShopRequest {
  readonly payment: string
}

export interface Shop {
  readonly orders: readonly Order[]
  readonly refunds: readonly RefundRequest[]
  /** Attempts to pay that were accepted. */
  readonly attempts: number
  /** Responses that are wrong after any kill. */
  readonly wrong: readonly string[]
  /** Starts no new request; pending requests continue until their response. */
  close(): Promise<void>
}

export interface Customers {
  readonly chance: Chance
  /** The number of concurrent customers. */
  readonly customers: number
  /** The providers over which they pay, and how these misbehave. */
  readonly routes: readonly Route[]
  /** The attempts of one payment at most. */
  readonly attempts: number
  /** The part of the orders without payment that is cancelled. */
  readonly cancelledPercent: number
}

const REQUEST_TIMEOUT_MS = 10_000
/** Longer than the simulator delays a reply. */
const FORM_TIMEOUT_MS = 60_000
const STATUS_TIMEOUT_MS = 3000
const STATUS_POLL_MS = 150

/**
 * Concurrent customers, each of whom orders, pays, cancels and requests refunds, one after the other, at a gateway that may be killed at any
 * time.
 */
export const openShop = (url: string, key: string, simulator: Simulator, customers: Customers): Shop =>
  new BusyShop(callsWith(url, key, REQUEST_TIMEOUT_MS), simulator, customers)

class BusyShop implements Shop {
  readonly orders: Order[] = []
  readonly refunds: RefundRequest[] = []
  readonly wrong: string[] = []
  attempts = 0
  private readonly call: ReturnType<typeof callsWith>
  private readonly simulator: Simulator
  private readonly options: Customers
  private readonly chance: Chance
  private readonly visits: readonly Promise<void>[]
  private readonly pendingCalls: Promise<void>[] = []
  private isStopping = false
  private phones = 0

  constructor(call: ReturnType<typeof callsWith>, simulator: Simulator, options: Customers) {
    this.call = call
    this.simulator = simulator
    this.options = options
    this.chance = options.chance
    this.visits = Array.from({ length: options.customers }, () => this.visitRepeatedly())
  }

  async close(): Promise<void> {
    this.isStopping = true
    await Promise.all(this.visits)
    await Promise.all(this.pendingCalls)
  }

  private async visitRepeatedly(): Promise<void> {
    while (!this.isStopping) {
      await this.visit()
      await sleep(this.chance.gapMs(60, 5, 300))
    }
  }

  private async visit(): Promise<void> {
    const made = await this.placeOrder()
    if (made.answered === null) return
    const leaves = this.chance.percent(10)
    for (let attempt = 0; !leaves && attempt < this.options.attempts; attempt += 1) {
      const attempting = this.attempt(made)
      // Some customers cancel during the prompt.
      if (this.chance.percent(8)) this.pendingCalls.push(this.cancel(made))
      if (!(await attempting)) break
      const status = await this.statusOf(made.answered)
      if (status === 'authorized') await this.decide(made)
      if (status === 'authorized' || status === 'completed') return this.requestRefunds(made)
      // The payer comes back after a while, and may find the charge still open.
      if (status !== 'pending' || this.chance.percent(50)) break
    }
    // An order that was not paid ends as soon as no charge of it is open.
    if (leaves || this.chance.percent(this.options.cancelledPercent)) await this.cancel(made)
  }

  private async placeOrder(): Promise<Order> {
    const { routes } = this.options
    const route = routes[Math.floor(this.chance.next() * routes.length)] as Route
    const made: Order = {
      route,
      key: this.newKey('order', this.orders.length),
      amount: (100 + Math.floor(this.chance.next() * 9900)) / 100,
      answered: null,
      paymentUrl: '',
      cancelled: false,
      captured: null,
      answeredAt: null,
    }
    this.orders.push(made)
    const order = {
      amount: made.amount,
      currency: route.currency,
      description: 'Two shirts',
      metadata: { order: made.key },
      ...(route.isManual && { capture: 'manual' }),
    }
    const { status, body } = await this.untilAnswered('POST', '/payments', order, made.key)
    if (status !== 201) {
      this.wrong.push(`an order was answered with ${status}: ${JSON.stringify(body)}`)
      return made
    }
    made.answered = String(body.id)
    made.answeredAt = performance.now()
    made.paymentUrl = String(body.payment_url)
    return made
  }

  /** Presses the button of the payer's page, and repeats this when the page does not respond. */
  private async attempt({ route, paymentUrl }: Order): Promise<boolean> {
    const { method, prefix, control, behaviour } = route
    this.phones += 1
    const phone = prefix === undefined ? '' : `${prefix}${String(5_000_000 + this.phones).slice(-7)}`
    await this.simulator.control(control, {
      ...(prefix && { msisdn: phone }),
      behaviour: behaviour(this.chance),
    })
    for (let press = 0; press < 3 && !(press > 0 && this.isStopping); press += 1) {
      const form = submitForm(paymentUrl, { method, phone }, { timeoutMs: FORM_TIMEOUT_MS })
      const status = await form.catch(() => 0)
      if (status === 303) this.attempts += 1
      if (status === 303 || (status >= 400 && status < 500 && status !== 429)) return status === 303
      await sleep(this.chance.gapMs(200, 50, 800))
    }
    return false
  }

  private async statusOf(payment: string): Promise<string> {
    const giveUpAt = performance.now() + STATUS_TIMEOUT_MS
    for (;;) {
      const seen = await this.once('GET', `/payments/${payment}`)
      const status = String(seen?.body.status ?? 'pending')
      if (seen && seen.status !== 200)
        this.wrong.push(`an order that was taken is answered with ${seen.status}`)
      if (status !== 'pending' || this.isStopping || performance.now() > giveUpAt) return status
      await sleep(STATUS_POLL_MS)
    }
  }

  private async cancel(made: Order): Promise<void> {
    const { status } = await this.untilAnswered('POST', `/payments/${made.answered}/cancel`)
    made.cancelled ||= status === 200
    if (status !== 200 && status !== 409) this.wrong.push(`a cancel was answered with ${status}`)
  }

  /** Captures an authorised order in full or in part, cancels it, does both at once, or does nothing. */
  private async decide(made: Order): Promise<void> {
    const amount = this.chance.percent(50) ? made.amount : Math.floor(made.amount * 50) / 100
    const lot = this.chance.next()
    const isBoth = lot < 0.2
    await Promise.all([
      ...(lot < 0.75 ? [this.capture(made, amount)] : []),
      ...(isBoth || (lot >= 0.75 && lot < 0.9) ? [this.cancel(made)] : []),
    ])
    // A repetition under the same key captures nothing.
    if (lot < 0.75 && !isBoth) await this.capture(made, amount)
  }

  private async capture(made: Order, amount: number): Promise<void> {
    const path = `/payments/${made.answered}/capture`
    const { status, body } = await this.untilAnswered('POST', path, { amount }, `capture-${made.key}`)
    if (status === 200) made.captured = amount
    else if (status !== 409) this.wrong.push(`a capture was answered with ${status}: ${JSON.stringify(body)}`)
  }

  private requestRefunds(made: Order): void {
    if (!this.chance.percent(35)) return
    const part = this.chance.percent(60) ? Math.floor(made.amount * 40) / 100 : null
    this.pendingCalls.push(this.refund(made, part))
    // Two clerks request the refund at the same time.
    if (this.chance.percent(40)) this.pendingCalls.push(this.refund(made, part))
  }

  private async refund(made: Order, amount: number | null): Promise<void> {
    const requested: RefundRequest = {
      key: this.newKey('refund', this.refunds.length),
      amount: amount ?? made.amount,
      payment: made.answered ?? '',
      answered: null,
    }
    this.refunds.push(requested)
    const refund = { payment: requested.payment, ...(amount !== null && { amount }) }
    const { status, body } = await this.untilAnswered('POST', '/refunds', refund, requested.key)
    if (status === 201) requested.answered = String(body.id)
    // The whole amount may be refunded already, or pending.
    if (status !== 201 && status !== 409 && status !== 422)
      this.wrong.push(`a refund was answered with ${status}: ${JSON.stringify(body)}`)
  }

  /** Null without a definite response. */
  private async once(...request: MerchantRequest): Promise<Answer<Record<string, unknown>> | null> {
    try {
      const answer = await this.call<Record<string, unknown>>(...request)
      const isInFlight =
        answer.status === 409 && JSON.stringify(answer.body).includes('idempotency_in_flight')
      return answer.status >= 500 || answer.status === 429 || isInFlight ? null : answer
    } catch {
      return null
    }
  }

  private async untilAnswered(...request: MerchantRequest): Promise<Answer<Record<string, unknown>>> {
    for (;;) {
      const answer = await this.once(...request)
      if (answer) return answer
      await sleep(this.chance.gapMs(150, 50, 500))
    }
  }

  private newKey(kind: string, nth: number): string {
    const part = () => Math.floor(this.chance.next() * 1e9)
    return `${kind}-${nth}-${part()}-${part()}`
  }
}

type MerchantRequest = [method: string, path: string, body?: object, idempotencyKey?: string]

/** The longest time between two of several moments. */
export function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(0, ...sorted.slice(1).map((time, nth) => time - (sorted[nth] ?? time)))
}
