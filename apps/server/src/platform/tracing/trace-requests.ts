import type { FastifyInstance, FastifyRequest } from 'fastify'
import { systemClock } from '../clock.ts'
import { specOf } from '../http/route.ts'
import { traceparentOf } from '../request-scope.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

/** Monitors and files of the web app: many requests, and none of them is about a payment. */
const untraced = ['/healthz', '/readyz', '/assets/*', '/*']

const spans = new WeakMap<FastifyRequest, OpenSpan>()
const starts = new WeakMap<FastifyRequest, () => OpenSpan>()

/** Undefined for a request that is not traced. Begins the span, whose trace depends on whether the caller is authenticated by then. */
export function spanOf(request: FastifyRequest): OpenSpan | undefined {
  const span = spans.get(request) ?? starts.get(request)?.()
  if (span) spans.set(request, span)
  return span
}

/** Records a span of each request. Called before any route is mounted. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    // A stream lasts as long as its dashboard is open.
    if (route !== undefined && !untraced.includes(route) && !specOf(request)?.events) {
      const { method } = request
      const attributes = { 'http.request.method': method, 'http.route': route }
      const startedAt = systemClock.now().getTime()
      starts.set(request, () =>
        tracing.request(`${method} ${route}`, attributes, { startedAt, traceparent: traceparentOf(request) }),
      )
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const attributes = { 'http.response.status_code': reply.statusCode }
    if (reply.statusCode < 500) spanOf(request)?.end(attributes)
    else spanOf(request)?.fail(attributes)
    done()
  })
}
