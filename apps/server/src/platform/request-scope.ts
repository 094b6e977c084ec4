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
/** The scopes of the requests whose handler has begun: the handler of errors runs outside of them. */
const scopesByRequest = new WeakMap<FastifyRequest, RequestScope>()

export function runInRequestScope<Result>(
  request: FastifyRequest,
  scope: RequestScope,
  run: () => Result,
): Result {
  scopesByRequest.set(request, scope)
  return scopes.run(scope, run)
}

export const hasCommitted = (request: FastifyRequest): boolean =>
  scopesByRequest.get(request)?.hasCommitted ?? false

/** Records that a transaction of the request in progress, if any, has committed. */
export function noteCommit(): void {
  const scope = scopes.getStore()
  if (scope) scope.hasCommitted = true
}

export const requestSpan = (): OpenSpan | undefined => scopes.getStore()?.span

/** Empty outside of a request. */
export const requestIds = (): Partial<RequestIds> => scopes.getStore()?.ids ?? {}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** The trace of a W3C `traceparent` header; undefined for none and for one that is not valid. */
export function traceIdIn(header: string | string[] | undefined): string | undefined {
  const [, id] = traceparent.exec(typeof header === 'string' ? header : '') ?? []
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
