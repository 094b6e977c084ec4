import type { ErrorCode } from '@muripo/contract/errors'
import type { BodyInput, Params, QueryInput, Reply, RouteSpec } from '@muripo/contract/route'
import { noteServerDate } from './timing.ts'

/** The result of a call. A call never throws and shows nothing: each screen has its own texts. */
export interface ApiResult<T> {
  /** The HTTP status; 0 when the server could not be reached. */
  readonly status: number
  readonly data: T | null
  /** Null on success. */
  readonly error: string | null
  /** The server's sentence about the error, null when there is none. */
  readonly message: string | null
  /** The body of the error response. */
  readonly body?: unknown
}

export interface ApiRequest<R extends RouteSpec> {
  readonly params?: Params<R>
  readonly query?: QueryInput<R>
  readonly body?: BodyInput<R>
  /** Of a create: the same request under the same key creates one object. */
  readonly idempotencyKey?: string | undefined
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
}

/** Sends the call of a route, which `virtual:calls` provides: its types are those of the contract. */
export type Send = <R extends RouteSpec>(route: R, request?: ApiRequest<R>) => Promise<ApiResult<Reply<R>>>

export const NETWORK_ERROR = 'Network error'
export const AUTHENTICATION_FAILED = 'Authentication failed'
const PREFIX = '/v1'

export const failure = (status: number, error: string, message: string | null = null): ApiResult<never> => ({
  status,
  data: null,
  error,
  message,
})

/** The error code of a refusal; null when the body has none. */
export function errorCode({ body }: Pick<ApiResult<unknown>, 'body'>): ErrorCode | null {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string' ? (code as ErrorCode) : null
}

const temporaryCodes: readonly unknown[] = [
  'request_too_slow',
  'overloaded',
  'service_unavailable',
] satisfies ErrorCode[]

/** Whether the same call may succeed a moment later: no answer, a proxy's error, or a code that means so. */
export function isTemporary(result: Pick<ApiResult<unknown>, 'status' | 'body'>): boolean {
  const code = errorCode(result)
  return code === null ? result.status === 0 || result.status >= 502 : temporaryCodes.includes(code)
}

export function addressOf(
  { path }: Pick<RouteSpec, 'path'>,
  params?: object,
  query?: object,
  prefix = PREFIX,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return prefix + filled + (text === '' ? '' : `?${text}`)
}

function messageIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const fields = body as Record<string, unknown>
  for (const name of ['message', 'error', 'detail']) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** A page of payments takes some seconds on a 2G line; a refund waits for the provider's response. */
const READ_LIMIT_MS = 20_000
const WRITE_LIMIT_MS = 60_000

/** Sends a request, as `fetch` does. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>

const byFetch: Transport = (address, init) => fetch(address, init)

/** Aborts with the first of two signals. `AbortSignal.any` is newer than the oldest supported browsers. */
function eitherOf(...signals: readonly [AbortSignal, AbortSignal]): AbortSignal {
  const either = new AbortController()
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { signal: either.signal })
  }
  return either.signal
}

/** One call. It ends when its response is read, when its caller cancels it, or after its time limit. */
export async function exchange<T>(
  address: string,
  init: RequestInit,
  limitMs = init.method === 'GET' ? READ_LIMIT_MS : WRITE_LIMIT_MS,
  transport = byFetch,
): Promise<ApiResult<T>> {
  const limit = AbortSignal.timeout(limitMs)
  const signal = init.signal ? eitherOf(init.signal, limit) : limit
  const { status, data: response, ...refused } = await openAnswer(address, { ...init, signal }, transport)
  if (response === null) return { status, data: null, ...refused }
  try {
    return { status, data: (await bodyOf(response)) as T, error: null, message: null }
  } catch {
    return failure(0, NETWORK_ERROR)
  }
}

/** A call whose response the caller reads as a stream. The body of a refusal is read here. */
export async function openAnswer(
  address: string,
  init: RequestInit,
  transport = byFetch,
): Promise<ApiResult<Response>> {
  let response: Response
  let body: unknown
  try {
    const sentAt = Date.now()
    response = await transport(address, init)
    noteServerDate(response.headers.get('date'), sentAt)
    if (response.ok) return { status: response.status, data: response, error: null, message: null }
    body = await bodyOf(response)
  } catch {
    return failure(0, NETWORK_ERROR)
  }
  const message = messageIn(body)
  const error = message ?? `HTTP ${response.status}: ${response.statusText}`
  return { ...failure(response.status, error, message), body }
}

export function requestInit(
  method: string,
  body: unknown,
  authToken?: string | null,
  idempotencyKey?: string,
): RequestInit {
  return {
    method,
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(authToken ? { authorization: `Bearer ${authToken}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** Sends a call without a session. */
export const sendPublic: Send = (route, { params, query, body, signal = null } = {}) =>
  exchange(addressOf(route, params as object, query as object), {
    ...requestInit(route.method, body),
    signal,
  })
