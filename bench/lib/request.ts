import { randomInt } from 'node:crypto'

/** The request of an ordinary order. */
export const body = JSON.stringify({
  amount: 12.5,
  currency: 'USD',
  description: 'Order 10482: two shirts',
  reference: 'order-10482',
  customer: { email: 'tendai@example.com', name: 'Tendai Moyo', phone: '+263771234567' },
  method: 'ecocash',
  success_url: 'https://shop.example/orders/10482/thanks',
  cancel_url: 'https://shop.example/orders/10482',
  metadata: { order: '10482', channel: 'web' },
})

export const path = '/api/v1/payments'

/** As long as a UUID and as random in its first half; pgbench can make such keys too. */
export const keyTail = '-8d5c-4b6f-9a1e2f'
export const newKey = (): string => `${randomInt(1e9, 1e10 - 1)}${randomInt(1e8, 1e9)}${keyTail}`
