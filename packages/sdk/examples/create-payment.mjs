// npm install https://pay.example.com/sdk/muripo.tgz
import { Muripo } from 'muripo'

// The address of your gateway is in MURIPO_URL.
const muripo = new Muripo(process.env.MURIPO_KEY)

const payment = await muripo.payments.create({
  amount: 25,
  currency: 'USD',
  description: 'Order 1001',
})

// Redirect your customer to this address.
console.log(payment.payment_url)
