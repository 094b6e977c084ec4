import type { FastifyInstance } from 'fastify'

/** `ready` says why not, or null. */
export function mountHealth(app: FastifyInstance, ready: () => Promise<string | null>): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    const reason = await ready()
    return reply
      .status(reason === null ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: reason === null ? 'ready' : 'not ready', ...(reason ? { reason } : {}) })
  })
}
