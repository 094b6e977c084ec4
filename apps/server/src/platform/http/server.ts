import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BODY_MAX_BYTES } from '@muripo/contract/constants'
import type { ErrorCode, Reason } from '@muripo/contract/errors'
import type { reasonParams } from '@muripo/contract/fields'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodFastifySchemaValidationError,
} from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { isDatabaseAway, isDatabaseBusy } from '../db/database.ts'
import { QueueFull } from '../db/failures.ts'
import { AppError, invalidFields, overloaded, toProblem } from '../errors.ts'
import type { Log } from '../log.ts'
import { type RequestIds, type RequestScope, runInRequestScope, traceIdIn } from '../request-scope.ts'
import { spanOf } from '../tracing/trace-requests.ts'
import { limitBodyTime } from './body-time.ts'
import { nameCallers } from './caller-address.ts'
import { handleClientError } from './client-error.ts'
import { headersOfAll } from './headers.ts'
import { mountedMethods } from './mounted-methods.ts'
import { isRead } from './route.ts'
import { trustIn } from './trusted-proxies.ts'
import { useValidationTexts } from './validation-texts.ts'

/** Errors of any route, listed or not: they occur before a route is reached. */
const universal: readonly ErrorCode[] = [
  'malformed_request',
  'body_too_large',
  'request_too_slow',
  'unsupported_media_type',
  'validation_failed',
  'not_found',
  'rate_limited',
  'overloaded',
  'service_unavailable',
]

/** Each connection takes memory and a file descriptor. The process needs others for its database and its providers. */
const CONNECTIONS_MAX = 10_000

/** The number of errors that a response lists, and the length of an unknown name in them. */
const ERRORS_MAX = 50
const NAME_MAX_LENGTH = 64

/**
 * Logs and audit entries mark the id that a caller gave, so that no caller can pass an id off as one of ours. The colon is refused in a
 * given id.
 */
const GIVEN = 'caller:'

/** The id as the caller gave it, or ours. */
export const shownId = ({ id }: FastifyRequest): string =>
  id.startsWith(GIVEN) ? id.slice(GIVEN.length) : id

const givenId = ({ headers }: IncomingMessage): string | null => {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : null
}

/** The id in the answer to a request that never becomes one of Fastify's. */
export const answeredId = (request: IncomingMessage): string => givenId(request) ?? randomUUID()

/** The scopes of the requests whose handler has begun. */
const scopes = new WeakMap<FastifyRequest, RequestScope>()

function idsOf(request: FastifyRequest): RequestIds {
  const traceId = spanOf(request)?.traceId ?? traceIdIn(request.headers.traceparent)
  return { requestId: request.id, ...(traceId !== undefined && { traceId }) }
}

export function createHttp(config: Config, log: Log): FastifyInstance {
  const unreadableHeaders = headersOfAll(config)
  useValidationTexts()
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trustIn(config.trustedProxies),
    // Uploads need this time: a document of 10 MiB over a slow network. Other bodies have 15 s (body-time.ts).
    requestTimeout: 300_000,
    http: { headersTimeout: 30_000 },
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    // A logger of its own would cost each request more than its id: the lines about a request name it.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: (error, request, reply) => {
      // A request with an unreadable path reaches no hook and no error handler.
      reply.headers(unreadableHeaders).header('x-request-id', shownId(request))
      return sendProblem(asAppError(error, request, log), request, reply)
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, unreadableHeaders, log),
    genReqId: (request) => {
      const given = givenId(request)
      return given === null ? randomUUID() : GIVEN + given
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  acceptJson(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', shownId(request))
    done()
  })

  // The error handler needs to know whether a refused request has committed anything.
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const scope: RequestScope = { ids: idsOf(request), span: spanOf(request), hasCommitted: false }
      scopes.set(request, scope)
      return runInRequestScope(scope, () => handler.call(this, request, reply))
    }
  })

  nameCallers(app, config, log)
  limitBodyTime(app)
  app.server.maxConnections = CONNECTIONS_MAX

  app.setErrorHandler((error, request, reply) => sendProblem(asAppError(error, request, log), request, reply))
  answerUnknownPaths(app)
  return app
}

function acceptJson(app: FastifyInstance): void {
  // As text, a form of another site could send any body without a preflight request.
  app.removeContentTypeParser('text/plain')
  // Clients of the specification send a JSON content type on every call, also without a body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void app.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })
}

function answerUnknownPaths(app: FastifyInstance): void {
  const methodsOf = mountedMethods(app)
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url.split('?')[0] ?? '')
    const isOtherMethod = methods.length > 0 && !methods.includes(request.method)
    const error = isOtherMethod
      ? new AppError('method_not_allowed', { headers: { allow: methods.join(', ') } })
      : new AppError('not_found')
    return sendProblem(error, request, reply)
  }
  app.setNotFoundHandler(notFound)
  // These prefixes are for programs, so their errors are never pages.
  for (const prefix of ['/v1', '/api', '/callbacks']) {
    // The response is sent before a body is read.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => notFound(request, reply)
    for (const url of [prefix, `${prefix}/*`]) app.all(url, { onRequest }, notFound)
  }
}

/** Passes each body of a scope on as it is, whatever its type. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) =>
    done(null, body),
  )
}

export function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .status(error.status)
    .headers(error.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(toProblem(error, shownId(request))))
}

function asAppError(thrown: unknown, request: FastifyRequest, log: Log): AppError {
  const error = known(thrown, request)
  const { spec } = request.routeOptions.config
  if (error !== null && (!spec || universal.includes(error.code) || spec.errors.includes(error.code)))
    return error
  log.error(
    { err: thrown, ...idsOf(request), route: request.routeOptions.url, declared: error === null },
    'request failed',
  )
  return new AppError('internal_error')
}

function known(error: unknown, request: FastifyRequest): AppError | null {
  if (error instanceof AppError) return error
  // A write that has committed one step cannot promise that nothing was changed.
  const hasCommitted = !isRead(request) && scopes.get(request)?.hasCommitted
  if (error instanceof QueueFull && !hasCommitted) return overloaded()
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error.validation)
  if (isDatabaseAway(error) || isDatabaseBusy(error)) {
    return new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
  }
  switch ((error as FastifyError).statusCode) {
    case 400:
      return new AppError('malformed_request')
    case 413:
      return new AppError('body_too_large')
    case 414:
      // A part of the path is longer than any id or token.
      return new AppError('not_found')
    case 415:
      return new AppError('unsupported_media_type')
    default:
      return null
  }
}

const short = (name: string): string =>
  name.length > NAME_MAX_LENGTH ? `${name.slice(0, NAME_MAX_LENGTH)}…` : name

/** The reason that a field's schema adds to its own error. */
const reasonIn = ({ params }: { readonly params?: unknown }): { readonly reason?: Reason } =>
  (params ?? {}) as ReturnType<typeof reasonParams>

function fromValidation(entries: readonly ZodFastifySchemaValidationError[]): AppError {
  const fields = entries.slice(0, ERRORS_MAX).flatMap(({ keyword, instancePath, message, params }) => {
    const path = instancePath.split('/').filter((part) => part !== '')
    const unknown = keyword === 'unrecognized_keys' ? (params as { keys: readonly string[] }).keys : null
    return unknown
      ? unknown
          .slice(0, ERRORS_MAX)
          .map(short)
          .map((key) => ({ field: [...path, key].join('.'), message: `Unknown field "${key}"` }))
      : [{ field: path.map(short).join('.'), message: message ?? 'Not valid', ...reasonIn(params) }]
  })
  return invalidFields(fields)
}
