import { Muripo } from 'muripo'

const muripo = new Muripo(process.env.MURIPO_KEY)

// The same key: your program may repeat the request after a crash,
// and only one payment exists.
const payForOrder = () =>
  muripo.payments.create(
    { amount: 40, currency: 'USD', description: 'Order 1002' },
    { idempotencyKey: 'order-1002' },
  )

const first = await payForOrder()
const again = await payForOrder()

console.log(first.id === again.id) // true
