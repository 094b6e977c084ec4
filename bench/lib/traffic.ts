import { randomInt } from 'node:crypto'

/** The requests and the shape of production: few merchants have most payments, and hardly two amounts are the same. */

const order = {
  amount: 12.5,
  currency: 'USD',
  description: 'Order 10482: two shirts',
  reference: 'order-10482',
  customer: { email: 'tendai@example.com', name: 'Tendai Moyo', phone: '+263771234567' },
  method: 'ecocash',
  success_url: 'https://shop.example/orders/10482/thanks',
  cancel_url: 'https://shop.example/orders/10482',
  metadata: { order: '10482', channel: 'web' },
}

/** The request of an ordinary order. */
export const orderBody = JSON.stringify(order)

/** The same order under a reference of its own, because the page warns a payer before an order is paid twice. */
export const nextOrder = (): string => withOwnReference(orderBody)

const withOwnReference = (text: string): string =>
  text.replace(order.reference, `order-${randomInt(1e9, 1e10 - 1)}`)

const { amount: _, ...ofAnyAmount } = order
const { customer: __, method: ___, ...ofAnyPayer } = ofAnyAmount
const [orderTail, newcomerTail] = [ofAnyAmount, ofAnyPayer].map((rest) => JSON.stringify(rest).slice(1))

/** The same order of another amount. */
export const orderOfAmount = (amount: string): string => `{"amount":${amount},${orderTail}`

/** An order under a reference of its own, of a payer who is unknown to the shop and chooses the method on the page. */
export const orderOfNewcomer = (amount: string): string =>
  withOwnReference(`{"amount":${amount},${newcomerTail}`)

export const paymentsPath = '/api/v1/payments'

/** As long as a UUID and as random in its first half; pgbench can make such keys too. */
const keyTail = '-8d5c-4b6f-9a1e2f'
export const newIdempotencyKey = (): string => `${randomInt(1e9, 1e10 - 1)}${randomInt(1e8, 1e9)}${keyTail}`

/** The sums of the shares of Zipf's law: the nth has 1/n of the share of the first. */
function zipfSums(count: number): Float64Array {
  const sums = new Float64Array(count)
  let sum = 0
  for (let nth = 0; nth < count; nth++) {
    sum += 1 / (nth + 1)
    sums[nth] = sum
  }
  return sums
}

/** Chooses indexes by Zipf's law: the nth is chosen 1/n times as often as the first. */
export function zipf(count: number): () => number {
  const sums = zipfSums(count)
  const sum = sums[count - 1] ?? 0
  return () => {
    const drawn = Math.random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > drawn) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Divides a whole number into parts by Zipf's law. */
export function zipfParts(whole: number, count: number): number[] {
  const sums = zipfSums(count)
  const upTo = (nth: number) => Math.round((whole * (sums[nth] ?? 0)) / (sums[count - 1] ?? 1))
  return Array.from(sums, (_, nth) => upTo(nth) - upTo(nth - 1))
}

const LEAST = 0.5
const MOST = 500

/** A random amount as JSON. Half of the amounts are below 16. */
export const anyAmount = (): string => (LEAST * (MOST / LEAST) ** Math.random()).toFixed(2)
