import { Muripo } from 'muripo'

const muripo = new Muripo(process.env.MURIPO_KEY)

const payment = await muripo.payments.create({
  amount: 25,
  currency: 'USD',
  description: 'Order 1001',
})

// Redirect your customer to this address.
console.log(payment.payment_url)
