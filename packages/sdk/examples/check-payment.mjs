import { Muripo, MuripoError } from 'muripo'

const muripo = new Muripo(process.env.MURIPO_KEY)

try {
  const payment = await muripo.payments.retrieve(process.env.PAYMENT_ID ?? '')
  // pending, authorized, completed, failed or refunded
  console.log(payment.status)
} catch (error) {
  if (!(error instanceof MuripoError)) throw error
  console.log(error.status, error.code, error.requestId)
}
