import { setTimeout as sleep } from 'node:timers/promises'
import { readPage, submitForm } from '@muripo/rig/payer'
import type { Chance } from './chance.ts'
import { MerchantCalls } from './merchant-calls.ts'

/** Requests of a merchant's server with their responses. Each request is repeated until it has a response. */
interface ShopRequest {
  readonly key: string
  readonly amount: number
  answered: string | null
}

export interface Order extends ShopRequest {
  paymentUrl: string | null
  cancelled: boolean
  /** The customer authorises the amount, and the shop captures it. */
  readonly isCaptured: boolean
  /** The amount of a capture that was accepted. */
  captured: number | null
  /** By `performance.now()`. */
  answeredAt: number | null
}

export interface RefundRequest extends ShopRequest {
  readonly payment: string
}

export interface Shop {
  readonly orders: Order[]
  readonly refunds: RefundRequest[]
  /** Responses that are wrong after any kill. */
  readonly wrong: string[]
  /** Starts no new request; pending requests continue until their response. */
  close(): Promise<void>
}

const statusTimeoutMs = 4000

interface Options {
  readonly chance: Chance
  readonly captures: boolean
}

/**
 * Concurrent customers, each of whom orders, pays, cancels and requests refunds, one after the other, during
 * the kills.
 */
export const openShop = (url: string, key: string, customers: number, options: Options): Shop =>
  new BusyShop(new MerchantCalls(url, key, options.chance), customers, options)

class BusyShop implements Shop {
  readonly orders: Order[] = []
  readonly refunds: RefundRequest[] = []
  readonly wrong: string[] = []
  private readonly calls: MerchantCalls
  private readonly chance: Chance
  private readonly captures: boolean
  private readonly visits: readonly Promise<void>[]
  private readonly pendingCalls: Promise<void>[] = []
  private isStopping = false

  constructor(calls: MerchantCalls, customers: number, { chance, captures }: Options) {
    this.calls = calls
    this.chance = chance
    this.captures = captures
    this.visits = Array.from({ length: customers }, () => this.visitRepeatedly())
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
    if (made.answered === null || made.paymentUrl === null) return
    const leaves = this.chance.percent(10)
    if (leaves) {
      await this.cancel(made)
      return
    }
    const paying = this.pay(made.paymentUrl, made.isCaptured)
    // Some customers cancel during the prompt.
    if (this.chance.percent(8)) this.pendingCalls.push(this.cancel(made))
    await paying
    const status = await this.statusOf(made.answered)
    if (status === 'authorized') await this.decide(made)
    else if (status !== 'completed') return
    if (this.chance.percent(35)) {
      const part = this.chance.percent(60) ? Math.floor(made.amount * 40) / 100 : null
      this.pendingCalls.push(this.refund(made, part))
      // Two clerks request the refund at the same time.
      if (this.chance.percent(40)) this.pendingCalls.push(this.refund(made, part))
    }
  }

  private async placeOrder(): Promise<Order> {
    const made: Order = {
      key: `order-${this.orders.length}-${this.uuid()}`,
      amount: (100 + Math.floor(this.chance.next() * 9900)) / 100,
      answered: null,
      paymentUrl: null,
      cancelled: false,
      isCaptured: this.captures && this.chance.percent(25),
      captured: null,
      answeredAt: null,
    }
    this.orders.push(made)
    const { status, body } = await this.calls.untilAnswered(
      'POST',
      '/payments',
      {
        amount: made.amount,
        currency: 'USD',
        description: 'Two shirts',
        metadata: { order: made.key },
        ...(made.isCaptured && { capture: 'manual' }),
      },
      made.key,
    )
    if (status !== 201) {
      this.wrong.push(`an order was answered with ${status}: ${JSON.stringify(body)}`)
      return made
    }
    made.answered = String(body.id)
    made.answeredAt = performance.now()
    made.paymentUrl = String(body.payment_url)
    return made
  }

  /** Presses the button on the payer's page, and repeats this when the page does not respond. */
  private async pay(paymentUrl: string, isCaptured: boolean): Promise<void> {
    const byCard = isCaptured || this.chance.percent(35)
    const form = byCard ? { method: 'visa' } : { phone: '0771234567' }
    for (let press = 0; press < 3 && !this.isStopping; press += 1) {
      const status = await submitForm(paymentUrl, form).catch(() => undefined)
      if (status === 303) return byCard ? this.payByCard(paymentUrl) : undefined
      await sleep(this.chance.gapMs(200, 50, 800))
    }
  }

  /** Follows the link of the payer's page to the page of the cards; a payer who finds none gives up. */
  private async payByCard(paymentUrl: string): Promise<void> {
    for (let round = 0; round < 10 && !this.isStopping; round += 1) {
      const page = await readPage(paymentUrl).catch(() => '')
      const link = /href="([^"]*\/checkout\/pay\/[^"]*)"/.exec(page)?.[1]
      if (link) {
        await readPage(link.replaceAll('&amp;', '&')).catch(() => '')
        return
      }
      await sleep(this.chance.gapMs(200, 50, 800))
    }
  }

  private async statusOf(payment: string): Promise<string> {
    const giveUpAt = performance.now() + statusTimeoutMs
    for (;;) {
      const seen = await this.calls.once('GET', `/payments/${payment}`)
      const status = String(seen?.body.status ?? 'pending')
      if (seen && seen.status !== 200)
        this.wrong.push(`an order that was taken is answered with ${seen.status}`)
      if (status !== 'pending' || this.isStopping || performance.now() > giveUpAt) return status
      await sleep(150)
    }
  }

  private async cancel(made: Order): Promise<void> {
    const { status } = await this.calls.untilAnswered('POST', `/payments/${made.answered}/cancel`)
    made.cancelled = status === 200
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
  }

  private async capture(made: Order, amount: number): Promise<void> {
    const path = `/payments/${made.answered}/capture`
    const { status, body } = await this.calls.untilAnswered('POST', path, { amount }, `capture-${made.key}`)
    if (status === 200) made.captured = amount
    else if (status !== 409) this.wrong.push(`a capture was answered with ${status}: ${JSON.stringify(body)}`)
  }

  private async refund(made: Order, amount: number | null): Promise<void> {
    const requested: RefundRequest = {
      key: `refund-${this.refunds.length}-${this.uuid()}`,
      amount: amount ?? made.amount,
      payment: made.answered ?? '',
      answered: null,
    }
    this.refunds.push(requested)
    const { status, body } = await this.calls.untilAnswered(
      'POST',
      '/refunds',
      { payment: requested.payment, ...(amount !== null && { amount }) },
      requested.key,
    )
    if (status === 201) requested.answered = String(body.id)
    // The whole amount may be refunded already, or pending.
    if (status !== 201 && status !== 409 && status !== 422)
      this.wrong.push(`a refund was answered with ${status}: ${JSON.stringify(body)}`)
  }

  private uuid(): string {
    return `${Math.floor(this.chance.next() * 1e9)}-${Math.floor(this.chance.next() * 1e9)}`
  }
}

/** The longest time between two of several moments. */
export function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(0, ...sorted.slice(1).map((time, nth) => time - (sorted[nth] ?? time)))
}
