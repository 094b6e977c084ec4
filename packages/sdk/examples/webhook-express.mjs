import express from 'express'
import { verifyWebhook } from 'muripo'

const app = express()

// The signature covers the bytes of the body: keep express.json() away from this address.
app.post('/muripo/events', express.raw({ type: 'application/json' }), async (request, response) => {
  const event = await verifyWebhook(request.body, request.headers, process.env.MURIPO_WEBHOOK_SECRET)
  if (event.type === 'payment.completed') console.log('paid', event.data.reference)
  response.sendStatus(204)
})

app.listen(Number(process.env.PORT ?? 8000))
