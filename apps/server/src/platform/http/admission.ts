import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Queues } from '../db/queues.ts'
import { invariant, overloaded, toProblem } from '../errors.ts'
import { newRequestId, shownId } from '../request-scope.ts'
import { limitRestOfBody } from './body-time.ts'
import { headersOfAll } from './headers.ts'
import { isRead } from './route.ts'

/**
 * The waiting time, in milliseconds, from which calls are refused. Calls that continue an accepted payment are refused last, because money
 * may be moving already.
 */
export const REFUSED_FROM_MS = { continuation: 3000, create: 1500, dashboard: 1000, export: 500 } as const
type CallKind = keyof typeof REFUSED_FROM_MS
export type OnRefused = (call: CallKind, method: string) => void

const LEAST_MS = Math.min(...Object.values(REFUSED_FROM_MS))
const TICK_MS = 20
/** A long turn of the event loop with fewer calls is a pause of the machine, and not a queue. */
const CALLS_OF_A_QUEUE = 50

interface Turn {
  readonly startedAt: number
  calls: number
}

/**
 * Refuses calls with 503 `overloaded` while others wait for too long, before Fastify sees them: a refusal then costs a small part of the
 * call, and the calls that were admitted before are answered in time.
 * @param isLink whether a path below `/pay/` or `/callbacks/` has a token of ours: any other one continues no payment
 */
export function admitByQueueTime(
  app: FastifyInstance,
  config: Config,
  queues: Queues,
  onRefused: OnRefused | null,
  isLink: (path: string) => boolean = () => true,
): void {
  const refuse = createRefusal(config)
  const exports = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.spec?.file) exports.add(url)
  })

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

  const [serve, ...others] = app.server.listeners('request')
  invariant(serve && others.length === 0, 'Fastify is the only listener for requests')
  app.server.removeAllListeners('request').on('request', (request, response) => {
    turn.calls += 1
    const waitMs = Math.max(turnMs(), queues.waitMs())
    const kind = waitMs < LEAST_MS ? null : kindOf(request, exports, isLink)
    if (kind === null || waitMs < REFUSED_FROM_MS[kind]) {
      serve(request, response)
    } else {
      refuse(request, response)
      onRefused?.(kind, request.method ?? '')
    }
  })
}

/** Null for a call that is always answered. */
function kindOf(
  { url = '', method = '' }: IncomingMessage,
  exports: ReadonlySet<string>,
  isLink: (path: string) => boolean,
): CallKind | null {
  // After a refusal, a supervisor would restart the process, or a proxy remove it.
  if (url === '/healthz' || url === '/readyz') return null
  if (url.startsWith('/api/v1/') && !isRead({ method }))
    return method === 'POST' && pathOf(url) === '/api/v1/payments' ? 'create' : 'continuation'
  if (/^\/(pay|callbacks)\//.test(url) && isLink(pathOf(url))) return 'continuation'
  return exports.has(pathOf(url)) ? 'export' : 'dashboard'
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return (end === -1 ? url : url.slice(0, end)).replace(/(?<=.)\/$/, '')
}

/** The parts that all refusals share are computed once. */
function createRefusal(config: Config): (request: IncomingMessage, response: ServerResponse) => void {
  const error = overloaded()
  const bodyOf = (requestId: string) => JSON.stringify(toProblem(error, requestId))
  const [head = '', tail = ''] = bodyOf('|').split('|')
  const headers = Object.entries({
    ...headersOfAll(config),
    ...error.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  }).flat()
  return (request, response) => {
    const requestId = shownId({ id: newRequestId(request) })
    const body = head + requestId + tail
    response.writeHead(error.status, [
      ...headers,
      'x-request-id',
      requestId,
      'content-length',
      String(body.length),
    ])
    response.end(body, 'latin1')
    response.once('finish', () => limitRestOfBody(request))
  }
}
