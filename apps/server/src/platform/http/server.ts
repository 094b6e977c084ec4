import { BODY_MAX_BYTES } from '@muripo/contract/constants'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { newRequestId, runInRequestScope, shownId } from '../request-scope.ts'
import { spanOf } from '../tracing/trace-requests.ts'
import { limitBodyTime } from './body-time.ts'
import { nameCallers, trustIn } from './caller-address.ts'
import { asAppError, handleClientError, idsOf, sendProblem, useValidationTexts } from './error-responses.ts'
import { headersOfAll } from './headers.ts'
import { acceptJson } from './json-body.ts'
import { refuseHostileRequestLines, withoutLongQuery } from './request-line.ts'

/** Each connection takes memory and a file descriptor. The process needs others for its database and its providers. */
const CONNECTIONS_MAX = 10_000

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
    // A child logger for each request would cost time, and log lines contain the request's id anyway.
    childLoggerFactory: (logger) => logger,
    // A value of any length reaches its route, which answers that nothing has it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100_000 },
    rewriteUrl: withoutLongQuery,
    frameworkErrors: (error, request, reply) => {
      // A request with an unreadable path reaches no hook and no error handler.
      reply.headers(unreadableHeaders).header('x-request-id', shownId(request))
      return sendProblem(asAppError(error, request, log), request, reply)
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, unreadableHeaders, log),
    genReqId: newRequestId,
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
      const scope = { ids: idsOf(request), span: spanOf(request), hasCommitted: false }
      return runInRequestScope(request, scope, () => handler.call(this, request, reply))
    }
  })

  refuseHostileRequestLines(app, unreadableHeaders)
  nameCallers(app, config.trustedProxies, log)
  limitBodyTime(app)
  app.server.maxConnections = CONNECTIONS_MAX

  app.setErrorHandler((error, request, reply) => sendProblem(asAppError(error, request, log), request, reply))
  answerUnknownPaths(app)
  return app
}

/** Nobody learns from a method that an address of the operator's console exists. */
const isHidden = ({ url }: FastifyRequest): boolean => url.startsWith('/console/')

function answerUnknownPaths(app: FastifyInstance): void {
  const methodsOf = mountedMethods(app)
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url.split('?')[0] ?? '')
    const isOtherMethod = methods.length > 0 && !methods.includes(request.method) && !isHidden(request)
    const error = isOtherMethod
      ? new AppError('method_not_allowed', { headers: { allow: methods.join(', ') } })
      : new AppError('not_found', { detail: 'Nothing has this address' })
    return sendProblem(error, request, reply)
  }
  app.setNotFoundHandler(notFound)
  // These prefixes are for programs, so their errors are never pages.
  for (const prefix of ['/v1', '/api', '/callbacks', '/console/api']) {
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

const withoutTrailingSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** Records the routes that are mounted from now on. Returns the methods that a path has. */
export function mountedMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const mounted: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('*')) mounted.push({ parts: url.split('/'), methods: [method].flat() })
  })
  return (path) => {
    const parts = withoutTrailingSlash(path).split('/')
    const having = mounted.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, index) =>
          part.startsWith(':') ? parts[index] !== '' : part === parts[index],
        ),
    )
    return [...new Set(having.flatMap(({ methods }) => methods))]
  }
}
