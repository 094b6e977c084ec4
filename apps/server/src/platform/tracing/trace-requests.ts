import type { FastifyInstance, FastifyRequest } from 'fastify'
import { specOf } from '../http/route.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

/** Monitors and files of the web app: many requests, and none of them is about a payment. */
const untraced = ['/healthz', '/readyz', '/assets/*', '/*']

const spans = new WeakMap<FastifyRequest, OpenSpan>()

/** Undefined for a request that is not traced. */
export const spanOf = (request: FastifyRequest): OpenSpan | undefined => spans.get(request)

/** Records a span of each request. Called before any route is mounted. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    // A stream lasts as long as its dashboard is open.
    if (route !== undefined && !untraced.includes(route) && !specOf(request)?.events) {
      const { method, headers } = request
      const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
      const attributes = { 'http.request.method': method, 'http.route': route }
      spans.set(request, tracing.request(`${method} ${route}`, attributes, traceparent))
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
