import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from './tracing/tracing.ts'

/** The facts about a request that code below its handler needs, also in work that continues after the response. */
export interface RequestScope {
  readonly ids: RequestIds
  /** Absent for a request that is not traced. */
  readonly span?: OpenSpan | undefined
  /** Whether a transaction of the request has committed, or may have committed. */
  hasCommitted: boolean
}

/** The names of log lines. */
export interface RequestIds {
  readonly requestId: string
  /** The trace of the request's span, or the caller's, by its `traceparent` header. */
  readonly traceId?: string
}

const scopes = new AsyncLocalStorage<RequestScope>()

export const runInRequestScope = <Result>(scope: RequestScope, run: () => Result): Result =>
  scopes.run(scope, run)

/** Outside of a request this function does nothing. */
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
