import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { OnRefused } from '../http/admission.ts'
import { specOf } from '../http/route.ts'

/** Seconds, from a request without a database to the longest that a caller waits for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** The label of requests that no route matches, or that are refused before: a path is never a label. */
const NO_ROUTE = 'none'

/**
 * Counts and times the requests of each route. Called before any route is mounted.
 * @returns counts a call that was refused before its route was known
 */
export function measureRequests(app: FastifyInstance, registry: Registry): OnRefused {
  const requests = new Counter({
    name: 'muripo_http_requests_total',
    help: 'Answered requests by method, pattern of the route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'muripo_http_refused_total',
    help: 'Calls that were refused because others waited for too long, by kind',
    labelNames: ['call'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'muripo_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response; event streams are left out',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? NO_ROUTE
    requests.inc({ method, route, status: reply.statusCode })
    // A stream lasts as long as its dashboard is open.
    if (!specOf(request)?.events) durations.observe({ method, route }, reply.elapsedTime / 1000)
    done()
  })
  return (call, method) => {
    refused.inc({ call })
    requests.inc({ method, route: NO_ROUTE, status: 503 })
  }
}
