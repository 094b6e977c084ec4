import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../crash/chance.ts'
import { type Route, routes } from './behaviours.ts'

export interface PayersOptions {
  readonly gateway: string
  readonly simulator: string
  readonly key: string
  readonly attempts: number
  readonly concurrency: number
  readonly chance: Chance
  readonly log: (line: string) => void
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
const LOG_EVERY_MS = 15_000
const OVERLOADED_PAUSE_MS = 1000
const OVERLOADED_MOST = 30

/** Payers who pay, fail, try again and get refunds, over all providers, until enough attempts were started. */
export async function runPayers(options: PayersOptions): Promise<Payers> {
  const { gateway, simulator, key, chance, log } = options
  const done = { attempts: 0, payments: 0, refunds: 0, captures: 0, voids: 0, refused: 0 }
  const pending: string[] = []
  let numbers = 0
  let keys = 0

  /** Repeats a call that the gateway refused under load, with the same key. */
  async function call(path: string, body?: object, idempotencyKey?: string): ReturnType<typeof callOnce> {
    for (let times = 1; ; times += 1) {
      const answer = await callOnce(path, body, idempotencyKey)
      if (answer.status !== 503 || times === OVERLOADED_MOST) return answer
      await sleep(OVERLOADED_PAUSE_MS)
    }
  }

  async function callOnce(path: string, body?: object, idempotencyKey?: string) {
    const response = await fetch(`${gateway}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  /** Presses the button of the payer's page. */
  async function attempt(page: string, { method, prefix, control, behaviour }: Route): Promise<boolean> {
    numbers += 1
    const phone = prefix === undefined ? '' : `${prefix}${String(5_000_000 + numbers).slice(-7)}`
    const ordered = await fetch(`${simulator}${control}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...(prefix && { msisdn: phone }), behaviour: behaviour(chance) }),
    })
    if (!ordered.ok) throw new Error(`the simulator refused a behaviour: ${await ordered.text()}`)
    done.attempts += 1
    const response = await fetch(page, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ method, phone }),
    })
    await response.body?.cancel()
    if (response.status === 303) return true
    done.attempts -= 1
    done.refused += 1
    return false
  }

  /** Whether the payer has done their part: the payment is completed, or authorised. */
  async function isPaid(id: string): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
      await sleep(POLL_MS)
      const { status } = (await call(`/payments/${id}`)).body
      if (status === 'completed' || status === 'authorized') return true
    }
    return false
  }

  /** Captures all or a part, cancels, does both at once, or leaves the authorisation to its end. A capture is requested twice. */
  async function instruct(id: string, amount: number): Promise<void> {
    const wish = chance.next()
    const part = chance.percent(40) ? { amount: Math.floor(amount * 30) / 100 } : {}
    const name = `soak-${keys++}`
    const capture = () => call(`/payments/${id}/capture`, part, name)
    const cancel = () => call(`/payments/${id}/cancel`, {})
    const isCapturing = wish < 0.7
    const isCancelling = wish >= 0.6 && wish < 0.85
    const [captured, cancelled] = await Promise.all([
      isCapturing ? capture() : null,
      isCancelling ? cancel() : null,
    ])
    if (captured?.body.status === 'completed') done.captures += 1
    if (cancelled?.body.status === 'failed') done.voids += 1
    if (isCapturing) await capture()
  }

  async function refund(payment: string, amount: number | null): Promise<void> {
    const requested = { payment, ...(amount !== null && { amount }) }
    const { status } = await call('/refunds', requested, `soak-${keys++}`)
    if (status === 201) done.refunds += 1
  }

  async function visit(): Promise<void> {
    const route = routes[Math.floor(chance.next() * routes.length)] as Route
    const amount = (100 + Math.floor(chance.next() * 9900)) / 100
    const order = {
      amount,
      currency: route.currency,
      description: 'Two shirts',
      ...(route.isManual && { capture: 'manual' }),
    }
    const { status, body } = await call('/payments', order, `soak-${keys++}`)
    if (status !== 201) throw new Error(`a payment was answered with ${status}: ${JSON.stringify(body)}`)
    done.payments += 1
    const [id, page] = [String(body.id), String(body.payment_url)]
    for (let times = 0; times < 3; times += 1) {
      if (!(await attempt(page, route))) break
      if (await isPaid(id)) {
        if (route.isManual) await instruct(id, amount)
        if (chance.percent(15)) await refund(id, chance.percent(50) ? Math.floor(amount * 40) / 100 : null)
        return
      }
      // The payer comes back after a while, and may find the charge still open.
      if (chance.percent(50)) break
    }
    pending.push(id)
  }

  const timer = setInterval(() => log(`${done.attempts} attempts, ${done.payments} payments`), LOG_EVERY_MS)
  try {
    await Promise.all(
      Array.from({ length: options.concurrency }, async () => {
        while (done.attempts < options.attempts) await visit()
      }),
    )
  } finally {
    clearInterval(timer)
  }
  // An order that was not paid ends as soon as no charge of it is open.
  await Promise.all(
    Array.from({ length: options.concurrency }, async () => {
      for (let id = pending.pop(); id !== undefined; id = pending.pop())
        await call(`/payments/${id}/cancel`, {})
    }),
  )
  return done
}
