import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { OpenSpan } from './tracing/tracing.ts'

/** The facts about a request that code below its handler needs, also in work that continues after the response. */
export interface RequestScope {
  readonly ids: RequestIds
  /** Absent for a request that is not traced. */
  readonly span?: OpenSpan | undefined
  /** Whether a transaction of the request has committed, or may have committed. */
  hasCommitted: boolean
}

/** The ids in the log lines of a request. */
export interface RequestIds {
  readonly requestId: string
  /** The trace of the request's span, or the caller's, by its `traceparent` header. */
  readonly traceId?: string
}

const scopes = new AsyncLocalStorage<RequestScope>()

const scopeOf = Symbol('scope')
const isAuthenticated = Symbol('isAuthenticated')

/** The properties of this module on a request. Entries of a weak map for each request would make every garbage collection longer. */
interface Carrier {
  /** Of a request whose handler has begun. The handler of errors runs outside of the scope. */
  [scopeOf]?: RequestScope
  [isAuthenticated]?: boolean
}

export function runInRequestScope<Result>(
  request: FastifyRequest & Carrier,
  scope: RequestScope,
  run: () => Result,
): Result {
  request[scopeOf] = scope
  return scopes.run(scope, run)
}

export const hasCommitted = (request: FastifyRequest & Carrier): boolean =>
  request[scopeOf]?.hasCommitted ?? false

/** Records that a transaction of the request in progress, if any, has committed. */
export function noteCommit(): void {
  const scope = scopes.getStore()
  if (scope) scope.hasCommitted = true
}

export const requestSpan = (): OpenSpan | undefined => scopes.getStore()?.span

/** Empty outside of a request. */
export const requestIds = (): Partial<RequestIds> => scopes.getStore()?.ids ?? {}

/** Marks a request whose caller has a valid key or session. */
export function noteAuthenticated(request: FastifyRequest & Carrier): void {
  request[isAuthenticated] = true
}

/**
 * The `traceparent` header of an authenticated request. An anonymous caller would choose which requests are sampled, and could add spans to the trace
 * of a payment, whose id follows from the payment's.
 */
export function traceparentOf(request: FastifyRequest & Carrier): string | undefined {
  const given = request.headers.traceparent
  return typeof given === 'string' && request[isAuthenticated] ? given : undefined
}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** The trace of a W3C `traceparent` header; undefined for none and for one that is not valid. */
export function traceIdIn(header: string | undefined): string | undefined {
  const [, id] = traceparent.exec(header ?? '') ?? []
  return id === undefined || /^0+$/.test(id) ? undefined : id
}

/**
 * Logs and audit entries mark the id that a caller gave, so that no caller can pass an id off as one of ours. The colon is refused in a
 * given id.
 */
const GIVEN = 'caller:'

function givenId({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : null
}

export function newRequestId(request: IncomingMessage): string {
  const given = givenId(request)
  return given === null ? randomUUID() : GIVEN + given
}

/** The id as the caller gave it, or ours. */
export const shownId = ({ id }: Pick<FastifyRequest, 'id'>): string =>
  id.startsWith(GIVEN) ? id.slice(GIVEN.length) : id
