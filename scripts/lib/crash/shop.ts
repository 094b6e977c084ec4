import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'

/** Requests of a merchant's server with their responses. Each request is repeated until it has a response. */
interface ShopRequest {
  readonly key: string
  readonly amount: number
  answered: string | null
  /** A refusal is an answer, too. */
  refused: string | null
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

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown> & {
    readonly code?: string
    readonly error?: { readonly code?: string }
  }
}

const requestTimeoutMs = 10_000
const statusTimeoutMs = 4000

/**
 * Concurrent customers, each of whom orders, pays, cancels and requests refunds, one after the other, during
 * the kills.
 */
export function openShop(
  url: string,
  key: string,
  customers: number,
  { chance, captures }: { readonly chance: Chance; readonly captures: boolean },
): Shop {
  const orders: Order[] = []
  const refunds: RefundRequest[] = []
  const wrong: string[] = []
  const pendingCalls: Promise<void>[] = []
  let isStopping = false
  const uuid = () => `${Math.floor(chance.next() * 1e9)}-${Math.floor(chance.next() * 1e9)}`

  /** Null without a definite response. */
  async function once(
    method: string,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Answer | null> {
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const answer = { status: response.status, body: (await response.json()) as Answer['body'] }
      const isInFlight =
        answer.status === 409 && JSON.stringify(answer.body).includes('idempotency_in_flight')
      return answer.status >= 500 || answer.status === 429 || isInFlight ? null : answer
    } catch {
      return null
    }
  }

  async function untilAnswered(...request: Parameters<typeof once>): Promise<Answer> {
    for (;;) {
      const answer = await once(...request)
      if (answer) return answer
      await sleep(chance.gapMs(150, 50, 500))
    }
  }

  async function order(): Promise<Order> {
    const made: Order = {
      key: `order-${orders.length}-${uuid()}`,
      amount: (100 + Math.floor(chance.next() * 9900)) / 100,
      answered: null,
      refused: null,
      paymentUrl: null,
      cancelled: false,
      isCaptured: captures && chance.percent(25),
      captured: null,
      answeredAt: null,
    }
    orders.push(made)
    const { status, body } = await untilAnswered(
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
      wrong.push(`an order was answered with ${status}: ${JSON.stringify(body)}`)
      made.refused = String(status)
      return made
    }
    made.answered = String(body.id)
    made.answeredAt = performance.now()
    made.paymentUrl = String(body.payment_url)
    return made
  }

  /** Presses the button on the payer's page, again when the page did not come. */
  async function pay(paymentUrl: string, isCaptured: boolean): Promise<void> {
    const byCard = isCaptured || chance.percent(35)
    for (let press = 0; press < 3 && !isStopping; press += 1) {
      const response = await fetch(paymentUrl, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: byCard ? 'method=visa' : 'method=ecocash&phone=0771234567',
        signal: AbortSignal.timeout(requestTimeoutMs),
      }).catch(() => undefined)
      await response?.body?.cancel().catch(() => undefined)
      if (response?.status === 303) return byCard ? payByCard(paymentUrl) : undefined
      await sleep(chance.gapMs(200, 50, 800))
    }
  }

  /** Follows the link of the payer's page to the page of the cards; a payer who finds none gives up. */
  async function payByCard(paymentUrl: string): Promise<void> {
    for (let round = 0; round < 10 && !isStopping; round += 1) {
      const page = await pageAt(paymentUrl)
      const link = /href="([^"]*\/checkout\/pay\/[^"]*)"/.exec(page ?? '')?.[1]
      if (link) {
        await pageAt(link.replaceAll('&amp;', '&'))
        return
      }
      await sleep(chance.gapMs(200, 50, 800))
    }
  }

  /** Null without an answer. */
  const pageAt = (address: string): Promise<string | null> =>
    fetch(address, { signal: AbortSignal.timeout(requestTimeoutMs) })
      .then((response) => response.text())
      .catch(() => null)

  async function statusOf(payment: string): Promise<string> {
    const giveUpAt = performance.now() + statusTimeoutMs
    for (;;) {
      const seen = await once('GET', `/payments/${payment}`)
      const status = String(seen?.body.status ?? 'pending')
      if (seen && seen.status !== 200) wrong.push(`an order that was taken is answered with ${seen.status}`)
      if (status !== 'pending' || isStopping || performance.now() > giveUpAt) return status
      await sleep(150)
    }
  }

  async function cancel(made: Order): Promise<void> {
    const { status } = await untilAnswered('POST', `/payments/${made.answered}/cancel`)
    made.cancelled = status === 200
    if (status !== 200 && status !== 409) wrong.push(`a cancel was answered with ${status}`)
  }

  /** Captures an authorised order in full or in part, or cancels it, or both at once, or forgets it. */
  async function decide(made: Order): Promise<void> {
    const amount = chance.percent(50) ? made.amount : Math.floor(made.amount * 50) / 100
    const lot = chance.next()
    const isBoth = lot < 0.2
    await Promise.all([
      ...(lot < 0.75 ? [capture(made, amount)] : []),
      ...(isBoth || (lot >= 0.75 && lot < 0.9) ? [cancel(made)] : []),
    ])
  }

  async function capture(made: Order, amount: number): Promise<void> {
    const path = `/payments/${made.answered}/capture`
    const { status, body } = await untilAnswered('POST', path, { amount }, `capture-${made.key}`)
    if (status === 200) made.captured = amount
    else if (status !== 409) wrong.push(`a capture was answered with ${status}: ${JSON.stringify(body)}`)
  }

  async function refund(made: Order, amount: number | null): Promise<void> {
    const requested: RefundRequest = {
      key: `refund-${refunds.length}-${uuid()}`,
      amount: amount ?? made.amount,
      payment: made.answered ?? '',
      answered: null,
      refused: null,
    }
    refunds.push(requested)
    const { status, body } = await untilAnswered(
      'POST',
      '/refunds',
      { payment: requested.payment, ...(amount !== null && { amount }) },
      requested.key,
    )
    if (status === 201) requested.answered = String(body.id)
    else requested.refused = String(status)
    // The whole amount may be refunded already, or pending.
    if (status !== 201 && status !== 409 && status !== 422)
      wrong.push(`a refund was answered with ${status}: ${JSON.stringify(body)}`)
  }

  async function visit(): Promise<void> {
    const made = await order()
    if (made.answered === null || made.paymentUrl === null) return
    const leaves = chance.percent(10)
    if (leaves) {
      await cancel(made)
      return
    }
    const paying = pay(made.paymentUrl, made.isCaptured)
    // A customer who cancels during the prompt.
    if (chance.percent(8)) pendingCalls.push(cancel(made))
    await paying
    const status = await statusOf(made.answered)
    if (status === 'authorized') await decide(made)
    else if (status !== 'completed') return
    if (chance.percent(35)) {
      const part = chance.percent(60) ? Math.floor(made.amount * 40) / 100 : null
      pendingCalls.push(refund(made, part))
      // Two clerks at once.
      if (chance.percent(40)) pendingCalls.push(refund(made, part))
    }
  }

  const visits = Array.from({ length: customers }, async () => {
    while (!isStopping) {
      await visit()
      await sleep(chance.gapMs(60, 5, 300))
    }
  })

  return {
    orders,
    refunds,
    wrong,
    async close() {
      isStopping = true
      await Promise.all(visits)
      await Promise.all(pendingCalls)
    },
  }
}
