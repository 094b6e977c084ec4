import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Queues } from '../db/queues.ts'
import { overloaded, toProblem } from '../errors.ts'
import { headersOfAll } from './headers.ts'
import { isRead, specOf } from './route.ts'
import { shownId } from './server.ts'

/**
 * The waiting time, in milliseconds, from which calls are refused. Calls that continue an accepted payment are refused last, because money
 * may be moving already.
 */
export const REFUSED_FROM_MS = { continuation: 3000, create: 1500, dashboard: 1000, export: 500 } as const

const TICK_MS = 20
/** A long turn of the event loop with fewer calls is a pause of the machine, and not a queue. */
const CALLS_OF_A_QUEUE = 50

interface Turn {
  readonly startedAt: number
  calls: number
}

/**
 * Refuses calls with 503 `overloaded` while others wait for too long, before the caller is authenticated and the body is read: a refusal
 * then costs a small part of the call, and the calls that were admitted before are answered in time.
 */
export function admitByQueueTime(app: FastifyInstance, config: Config, queues: Queues): void {
  const refuse = createRefusal(config)
  const newTurn = (): Turn => ({ startedAt: performance.now(), calls: 0 })
  let earlier = newTurn()
  let turn = newTurn()
  const ticker = setInterval(() => {
    earlier = turn
    turn = newTurn()
  }, TICK_MS)
  ticker.unref()
  app.addHook('onClose', async () => clearInterval(ticker))

  /** Calls wait in the sockets while the event loop is busy with others: one long turn is a pause, two in a row are a queue. */
  function turnMs(): number {
    if (Math.min(earlier.calls, turn.calls) < CALLS_OF_A_QUEUE) return 0
    return Math.min(turn.startedAt - earlier.startedAt, performance.now() - turn.startedAt)
  }

  app.addHook('onRequest', (request, reply, done) => {
    turn.calls += 1
    if (Math.max(turnMs(), queues.waitMs()) < refusedFromMs(request)) done()
    else refuse(request, reply)
  })
}

function refusedFromMs(request: FastifyRequest): number {
  const { url, method } = request
  // After a refusal, a supervisor would restart the process, or a proxy remove it.
  if (url === '/healthz' || url === '/readyz') return Number.POSITIVE_INFINITY
  if (url.startsWith('/api/v1/') && !isRead(request))
    return method === 'POST' && request.routeOptions.url === '/api/v1/payments'
      ? REFUSED_FROM_MS.create
      : REFUSED_FROM_MS.continuation
  if (url.startsWith('/pay/') || url.startsWith('/callbacks/')) return REFUSED_FROM_MS.continuation
  return specOf(request)?.file ? REFUSED_FROM_MS.export : REFUSED_FROM_MS.dashboard
}

/** The answer is written past the error handler and the serialisers, which would cost as much as the rest of a refusal. */
function createRefusal(config: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const error = overloaded()
  const headers = {
    ...headersOfAll(config),
    ...error.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  }
  return (request, reply) => {
    const requestId = shownId(request)
    const body = JSON.stringify(toProblem(error, requestId))
    reply.hijack()
    reply.raw.writeHead(error.status, {
      ...headers,
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(body),
    })
    reply.raw.end(body)
  }
}
