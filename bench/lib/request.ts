import { randomInt } from 'node:crypto'

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
export const body = JSON.stringify(order)

/** The same order under a reference of its own: a payer is warned before paying one order twice. */
export const nextOrder = (): string => withOwnReference(body)

const withOwnReference = (text: string): string =>
  text.replace(order.reference, `order-${randomInt(1e9, 1e10 - 1)}`)

const { amount: _, ...ofAnyAmount } = order
const { customer: __, method: ___, ...ofAnyPayer } = ofAnyAmount
const [orderTail, newcomerTail] = [ofAnyAmount, ofAnyPayer].map((rest) => JSON.stringify(rest).slice(1))

/** The same order of another amount. */
export const bodyOf = (amount: string): string => `{"amount":${amount},${orderTail}`

/** An order, under a reference of its own, of a payer whom the shop does not know, and who chooses the method on the page. */
export const newcomersBody = (amount: string): string =>
  withOwnReference(`{"amount":${amount},${newcomerTail}`)

export const path = '/api/v1/payments'

/** As long as a UUID and as random in its first half; pgbench can make such keys too. */
const keyTail = '-8d5c-4b6f-9a1e2f'
export const newKey = (): string => `${randomInt(1e9, 1e10 - 1)}${randomInt(1e8, 1e9)}${keyTail}`
