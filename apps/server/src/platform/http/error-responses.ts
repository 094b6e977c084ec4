import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { uploadFile } from '@muripo/contract/auth'
import { BODY_MAX_BYTES } from '@muripo/contract/constants'
import type { ErrorCode, Reason } from '@muripo/contract/errors'
import type { reasonParams } from '@muripo/contract/fields'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  type ZodFastifySchemaValidationError,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isDatabaseAway, isDatabaseBusy, QueueFull } from '../db/failures.ts'
import { AppError, invalidFields, overloaded, toProblem } from '../errors.ts'
import type { Log } from '../log.ts'
import { hasCommitted, type RequestIds, shownId, traceIdIn, traceparentOf } from '../request-scope.ts'
import { spanOf } from '../tracing/trace-requests.ts'
import { isRead, specOf } from './route.ts'

/** Errors of any route, listed or not: they occur before a route is reached. */
const universal: readonly ErrorCode[] = [
  'malformed_request',
  'body_too_large',
  'query_too_long',
  'request_too_slow',
  'unsupported_media_type',
  'validation_failed',
  'not_found',
  'rate_limited',
  'overloaded',
  'service_unavailable',
]

/** The number of errors that a response lists, and the length of an unknown name in them. */
const ERRORS_MAX = 50
const NAME_MAX_LENGTH = 64

/** The names of a request in log lines. */
export function idsOf(request: FastifyRequest): RequestIds {
  const traceId = spanOf(request)?.traceId ?? traceIdIn(traceparentOf(request))
  return { requestId: request.id, ...(traceId !== undefined && { traceId }) }
}

export function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .status(error.status)
    .headers(error.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(toProblem(error, shownId(request))))
}

/** The error of a response. Errors that the route does not list are logged, and answered without detail. */
export function asAppError(thrown: unknown, request: FastifyRequest, log: Log): AppError {
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
  if (error instanceof AppError) return error.isDefault('not_found') ? notFound(request) : error
  // `overloaded` promises that nothing was changed.
  const isPartlyDone = !isRead(request) && hasCommitted(request)
  if (error instanceof QueueFull && !isPartlyDone) return overloaded()
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A part of the path that can be no id or token names nothing.
    const isOfPath = (error as FastifyError).validationContext === 'params'
    return isOfPath ? notFound(request) : fromValidation(error.validation, request)
  }
  if (isDatabaseAway(error) || isDatabaseBusy(error)) {
    return new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
  }
  switch ((error as FastifyError).statusCode) {
    case 400:
      return new AppError('malformed_request')
    case 413:
      return bodyTooLarge()
    case 415:
      return unsupportedType(request)
    default:
      return null
  }
}

const bodyTooLarge = (): AppError =>
  new AppError('body_too_large', {
    detail: `The request is too large: a body has at most ${BODY_MAX_BYTES} bytes`,
  })

/** The type that a call expects; an upload is the only call without JSON. */
function unsupportedType(request: FastifyRequest): AppError {
  const isUpload = request.routeOptions.url?.endsWith(uploadFile.path) ?? false
  return new AppError('unsupported_media_type', {
    detail: `The content type is not supported: send ${isUpload ? 'multipart/form-data' : 'application/json'}`,
  })
}

/** The objects of the calls, by the parameter or the field with their id. */
const objectNames: Readonly<Record<string, string>> = {
  paymentId: 'payment',
  payment: 'payment',
  refundId: 'refund',
  customerId: 'customer',
  eventId: 'event',
  webhookId: 'webhook endpoint',
  applicationId: 'application',
  sessionId: 'session',
  passkeyId: 'passkey',
}

/** The object that the caller does not have. The text is the same for an id of another merchant. */
function notFound(request: FastifyRequest): AppError {
  const spec = specOf(request)
  const named = [spec?.params, spec?.body].flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  )
  const name = objectNames[named.findLast((key) => key in objectNames) ?? '']
  return new AppError('not_found', name === undefined ? {} : { detail: `There is no ${name} with this id` })
}

const short = (name: string): string =>
  name.length > NAME_MAX_LENGTH ? `${name.slice(0, NAME_MAX_LENGTH)}…` : name

/** The reason that a field's schema adds to its own error. */
const reasonIn = ({ params }: { readonly params?: unknown }): { readonly reason?: Reason } =>
  (params ?? {}) as ReturnType<typeof reasonParams>

function fromValidation(
  entries: readonly ZodFastifySchemaValidationError[],
  request: FastifyRequest,
): AppError {
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
  // The forms of the dashboard show the sentence of the first field as it is.
  return invalidFields(fields, { withCount: request.url.startsWith('/api/') })
}

/** The codes for errors of Node's parser; any other error is a malformed request. */
const parserErrorCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

/** Answers a request that Node's parser refuses: it reaches no hook and no route. Nothing after it on the connection can be parsed. */
export function handleClientError(
  { code }: { readonly code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  log: Log,
): void {
  if (code === 'ECONNRESET' || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy()
    return
  }
  const error = new AppError(parserErrorCodes[code ?? ''] ?? 'malformed_request')
  const requestId = randomUUID()
  // The error itself is not logged, because it contains the received bytes.
  log.debug({ requestId, reason: code }, 'request could not be read')
  const body = JSON.stringify(toProblem(error, requestId))
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/**
 * Whether part of the response to an earlier request has been sent: a further response would be in the middle of it. Node makes the same
 * check.
 */
const isBeingAnswered = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true

/** The types of JSON in words. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** The text of an error that the contract gives no text of its own: the library's texts name its types. */
const validationText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      // The library sets no path for the body itself.
      if (!issue.path?.length) return 'The body must be a JSON object'
      if (issue.input === undefined || issue.input === null) return REQUIRED
      return issue.expected in typeNames ? `Must be ${typeNames[issue.expected]}` : undefined
    case 'invalid_value':
      if (issue.input === undefined || issue.input === null) return REQUIRED
      if (typeof issue.input !== 'string') return 'Must be text'
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Must not be empty'
        : `Must be at least ${issue.minimum}${units[issue.origin] ?? ''}`
    case 'too_big':
      return `Must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'Must be a time such as 2026-11-20T09:30:00Z' : undefined
    default:
      return undefined
  }
}

const REQUIRED = 'This field is required'

/** Sets the texts for every schema of the process. */
export const useValidationTexts = (): void => {
  z.config({ customError: validationText })
}
