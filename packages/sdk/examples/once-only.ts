import { Muripo } from 'muripo'

const muripo = new Muripo(process.env.MURIPO_KEY)
const order = { amount: 40, currency: 'USD', description: 'Order 1002' } as const

// The same key: your program may repeat the request after a crash, and only one payment exists.
const first = await muripo.payments.create(order, { idempotencyKey: 'order-1002' })
const again = await muripo.payments.create(order, { idempotencyKey: 'order-1002' })

console.log(first.id === again.id) // true
