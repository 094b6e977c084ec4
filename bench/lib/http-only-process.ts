/** The routes of a create and a read with their validation, on the same framework, with a fixed response: the cost of HTTP alone. */
import { createPayment, getPayment } from '@muripo/contract/payments'
import Fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'

process.on('disconnect', () => process.exit(0))

process.on('message', async ({ answer }: { answer: string }) => {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.post(
    `/api/v1${createPayment.path}`,
    { schema: { body: createPayment.body } },
    async (_request, reply) =>
      reply.status(201).header('content-type', 'application/json; charset=utf-8').send(answer),
  )
  app.get(`/api/v1${getPayment.path}`, { schema: { params: getPayment.params } }, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(answer),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
