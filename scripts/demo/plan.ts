import type { DeclineReason } from '../../apps/server/src/modules/providers/connector.ts'
import { type Currency, type Money, money } from '../../packages/contract/src/money.ts'
import type { PaymentMethod } from '../../packages/contract/src/payments.ts'
import { dayMs, paymentTimes } from './calendar.ts'
import type { Chance } from './chance.ts'
import { firstNames, lastNames, type Shop, shops } from './shops.ts'

/** The response of a provider to a charge. */
export type Verdict = 'paid' | 'paid_less' | 'provider_unavailable' | DeclineReason

export interface PlannedAttempt {
  /** The time since the payment was created, or since the previous attempt was answered. */
  readonly afterMs: number
  readonly answerMs: number
  readonly verdict: Verdict
}

export interface PlannedPayment {
  readonly shop: Shop
  readonly purpose: string
  readonly reference: string
  readonly amount: Money
  readonly method: PaymentMethod
  readonly customer: { readonly name: string; readonly email?: string; readonly phone: string }
  readonly createdAt: number
  readonly livesDays: 1 | 7
  readonly attempts: readonly PlannedAttempt[]
  readonly refund: {
    readonly afterMs: number
    readonly answerMs: number
    readonly isDeclined: boolean
  } | null
}

export const planDays = 90
const planCount = 900

const methods: readonly {
  method: PaymentMethod
  share: number
  currencies: Partial<Record<Currency, number>>
}[] = [
  { method: 'ecocash', share: 62, currencies: { USD: 88, ZWG: 12 } },
  { method: 'innbucks', share: 16, currencies: { USD: 100 } },
  { method: 'onemoney', share: 12, currencies: { USD: 78, ZWG: 22 } },
  { method: 'visa', share: 10, currencies: { USD: 74, ZAR: 26 } },
]

/** The price of a US dollar and the rounding of prices, in minor units. */
const rates: Partial<Record<Currency, { perDollar: number; step: number }>> = {
  USD: { perDollar: 100, step: 50 },
  ZWG: { perDollar: 2660, step: 500 },
  ZAR: { perDollar: 1750, step: 1000 },
}

const walletRefusals: Partial<Record<Verdict, number>> = {
  insufficient_funds: 34,
  expired: 24,
  user_cancelled: 16,
  wrong_pin: 14,
  limit_exceeded: 5,
  provider_unavailable: 4,
  declined: 2,
  barred: 1,
}
const cardRefusals: Partial<Record<Verdict, number>> = {
  declined: 45,
  insufficient_funds: 25,
  expired: 15,
  limit_exceeded: 10,
  provider_unavailable: 5,
}

export function plan(chance: Chance, now: number): PlannedPayment[] {
  const customers = Array.from({ length: 320 }, (_, index) => {
    const first = chance.pick(firstNames)
    const last = chance.pick(lastNames)
    return { first, last, digits: String(1000 + index * 28), hasMail: chance.isLucky(0.55) }
  })
  const orders = new Map(shops.map((shop) => [shop, chance.between(2000, 9000)]))

  return paymentTimes(chance, now, planDays, planCount).map((createdAt) => {
    const age = now - createdAt
    const open = shops.filter(
      ({ closedDaysAgo }) => closedDaysAgo === null || age > (closedDaysAgo + 1) * dayMs,
    )
    const shop = chance.pickBy(open, ({ share }) => share)
    const [purpose, low, high] = chance.pick(shop.goods)
    const order = (orders.get(shop) ?? 0) + chance.between(1, 3)
    orders.set(shop, order)
    const { method, currencies } = chance.pickBy(methods, ({ share }) => share)
    const customer = chance.pick(customers)
    const operator = method === 'onemoney' ? '71' : '77'
    const attempts = planAttempts(chance, method, age)
    return {
      shop,
      purpose,
      reference: `${shop.mark}-${order}`,
      amount: price(chance, low, high, pickKey(chance, currencies)),
      method,
      customer: {
        name: `${customer.first} ${customer.last}`,
        phone: `+263${operator}000${customer.digits}`,
        ...(customer.hasMail && {
          email: `${customer.first}.${customer.last}@example.com`.toLowerCase(),
        }),
      },
      createdAt,
      livesDays: chance.isLucky(0.25) ? 7 : 1,
      attempts: hurry(attempts, age),
      refund: planRefund(chance, attempts, age),
    }
  })
}

function price(chance: Chance, low: number, high: number, currency: Currency): Money {
  const { perDollar, step } = rates[currency] ?? { perDollar: 100, step: 1 }
  const dollars = low + chance.next() * (high - low)
  return money(BigInt(Math.round((dollars * perDollar) / step) * step), currency)
}

function pickKey<K extends string>(chance: Chance, weights: Partial<Record<K, number>>): K {
  const entries = Object.entries(weights) as [K, number][]
  return chance.pickBy(entries, ([, weight]) => weight)[0]
}

function planAttempts(chance: Chance, method: PaymentMethod, age: number): PlannedAttempt[] {
  const attempts: PlannedAttempt[] = []
  // Some payers never open their link. Others, of the last day, have not opened it yet.
  if (chance.isLucky(age < dayMs ? 0.12 : 0.015)) return attempts
  const refusals = method === 'visa' ? cardRefusals : walletRefusals
  for (let again = true; again && attempts.length < 3; ) {
    const isPaid = chance.isLucky(attempts.length === 0 ? 0.84 : 0.75)
    const verdict = isPaid ? 'paid' : pickKey(chance, refusals)
    attempts.push({
      afterMs: chance.between(15, 240) * 1000,
      answerMs: verdict === 'expired' ? 300_000 : chance.between(4_000, 55_000),
      verdict,
    })
    again = !isPaid && chance.isLucky(0.35)
  }
  return method === 'ecocash' && chance.isLucky(0.003)
    ? [{ afterMs: 40_000, answerMs: 12_000, verdict: 'paid_less' }]
    : attempts
}

/** Shortens the attempts of a recent payment, so that they end in the past. */
function hurry(attempts: readonly PlannedAttempt[], age: number): PlannedAttempt[] {
  const total = attempts.reduce((sum, { afterMs, answerMs }) => sum + afterMs + answerMs, 0)
  const factor = Math.min(1, (age * 0.9) / Math.max(1, total))
  return attempts.map((one) => ({
    verdict: one.verdict,
    afterMs: Math.floor(one.afterMs * factor),
    answerMs: Math.floor(one.answerMs * factor),
  }))
}

function planRefund(
  chance: Chance,
  attempts: readonly PlannedAttempt[],
  age: number,
): PlannedPayment['refund'] {
  if (attempts.at(-1)?.verdict !== 'paid' || !chance.isLucky(0.045)) return null
  const afterMs = chance.between(20 * 60_000, 5 * dayMs)
  const isInTime = afterMs + dayMs / 12 < age
  return isInTime ? { afterMs, answerMs: chance.between(800, 4_000), isDeclined: chance.isLucky(0.08) } : null
}
