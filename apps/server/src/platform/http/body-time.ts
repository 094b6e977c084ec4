import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file: the route limits the throughput itself. */
    largeBody?: boolean
  }
}

/** A body of 64 KiB needs less on any usable network. */
const BODY_TIMEOUT_MS = 15_000

/**
 * Limits the time of a body, and closes the connection after it. The caller was authenticated before the body, so a body that takes minutes
 * would act with an outdated permission.
 */
export function limitBodyTime(app: FastifyInstance, timeoutMs = BODY_TIMEOUT_MS): void {
  // The hook runs just before the body is read: the parser listens for the error.
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!isAwaited(request)) return done(null, payload)
    const { raw } = request
    const timer = setTimeout(() => {
      closeAfter(reply)
      if (reply.sent || raw.listenerCount('error') === 0) raw.destroy()
      else raw.emit('error', Object.assign(new AppError('request_too_slow'), { statusCode: 408 }))
    }, timeoutMs)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
    done(null, payload)
  })
  // A refusal is sent before the body was received: the rest of the body is read and dropped, for a limited time.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isAwaited(request)) limitRestOfBody(request.raw, timeoutMs)
    done()
  })
}

/** Limits the time of the unread body of a refused request. */
export function limitRestOfBody(request: IncomingMessage, timeoutMs = BODY_TIMEOUT_MS): void {
  if (request.complete) return
  const timer = setTimeout(() => request.complete || request.destroy(), timeoutMs)
  request.once('close', () => clearTimeout(timer))
}

/** A body that arrives with its headers, as most do, needs no timer. */
const isAwaited = ({ raw, routeOptions }: FastifyRequest): boolean =>
  !raw.complete &&
  routeOptions.config.largeBody !== true &&
  (raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined)

function closeAfter(reply: FastifyReply): void {
  reply.header('connection', 'close')
  reply.raw.once('finish', () => reply.request.raw.destroy())
}
