import Fastify from 'fastify'
import { verifyWebhook } from 'muripo'

const app = Fastify()

// The signature covers the bytes of the body: within this scope no parser changes them.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  webhooks.post('/muripo/events', async (request, reply) => {
    const body = /** @type {string} */ (request.body)
    const event = await verifyWebhook(body, request.headers, process.env.MURIPO_WEBHOOK_SECRET)
    if (event.type === 'payment.completed') console.log('paid', event.data.reference)
    return reply.code(204).send()
  })
})

await app.listen({ port: Number(process.env.PORT ?? 8000) })
