import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { version } from '../version.ts'
import { createHttp } from './server.ts'

/**
 * Neither call has a limit for each address, because a monitor must not be refused. Concurrent calls share one query of the database.
 * @param ready returns the reason why the process is not ready, or null
 */
export function mountHealth(app: FastifyInstance, ready: () => Promise<string | null>): void {
  let check: Promise<string | null> | null = null
  const checkOnce = () => {
    check ??= ready().finally(() => {
      check = null
    })
    return check
  }
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version }),
  )
  app.get('/readyz', async (_request, reply) => {
    const reason = await checkOnce()
    return reply
      .status(reason === null ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: reason === null ? 'ready' : 'not ready', ...(reason ? { reason } : {}) })
  })
}

/** The server of a process that serves no callers. */
export function createHealthServer(
  config: Config,
  log: Log,
  ready: () => Promise<string | null>,
): FastifyInstance {
  const app = createHttp(config, log)
  mountHealth(app, ready)
  return app
}
