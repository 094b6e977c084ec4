import { checkIdempotencyKey, checkOptions, toJson } from './check.ts'
import { errorOf, type MuripoError, networkError, unexpectedResponse } from './error.ts'
import { isTemporary, pauseMs } from './retry.ts'

const MAX_RETRIES = 2

export interface CreateOptions {
  /**
   * The same key with the same params returns the same response for 30 days. Pass your own key, such as an order
   * number, if your program may repeat a request after a crash; otherwise the SDK generates a key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly body?: unknown
  /** The caller's options of a call that has an idempotency key. */
  readonly options?: CreateOptions
  /** Whether the request is sent once, because a repetition would have a second effect. */
  readonly once?: boolean
  /**
   * Called when a retry is refused, because an earlier attempt may have succeeded: returns the response of that attempt, or null to
   * throw the refusal.
   */
  readonly recoverResponse?: (refusal: MuripoError) => Promise<unknown>
}

export interface Target {
  readonly key: string
  readonly baseUrl: string
  readonly timeoutMs: number
}

interface Failure {
  readonly error: MuripoError
  readonly isTemporary: boolean
  readonly retryAfter: string | null
}

/**
 * Sends the call, and retries temporary failures with the same idempotency key. A mistake of the caller is a TypeError before the first
 * attempt, because `fetch` would report it as a failure of the network.
 */
export async function send<T>(target: Target, call: Call): Promise<T> {
  const request = requestOf(target, call)
  for (let retry = 0; ; retry += 1) {
    const result = await attempt<T>(target, request)
    if ('value' in result) return result.value
    const mayRetry = result.isTemporary && retry < MAX_RETRIES && !call.once
    const pause = mayRetry ? pauseMs(retry, result.retryAfter) : null
    if (pause === null) {
      const recovered = retry > 0 && !result.isTemporary ? await call.recoverResponse?.(result.error) : null
      if (recovered) return recovered as T
      throw result.error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

interface PreparedRequest {
  readonly url: string
  readonly init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual' }
}

function requestOf({ baseUrl, key }: Target, call: Call): PreparedRequest {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...('body' in call && { 'content-type': 'application/json' }),
    ...(call.options !== undefined && { 'idempotency-key': keyOf(call.options) }),
  }
  const body = 'body' in call && { body: toJson(call.body) }
  // A key must not be sent to the target of a redirect.
  return {
    url: `${baseUrl}/api/v1${call.path}`,
    init: { method: call.method, headers, redirect: 'manual', ...body },
  }
}

function keyOf(options: CreateOptions): string {
  checkOptions(options, ['idempotencyKey'], 'a create, a capture or a refund')
  return options.idempotencyKey === undefined
    ? crypto.randomUUID()
    : checkIdempotencyKey(options.idempotencyKey)
}

async function attempt<T>(
  { timeoutMs }: Target,
  { url, init }: PreparedRequest,
): Promise<{ value: T } | Failure> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    text = await response.text()
  } catch (cause) {
    return { error: networkError(cause), isTemporary: true, retryAfter: null }
  }
  const body = parse(text)
  const isEmpty = response.status === 204
  if (response.ok && (body !== undefined || isEmpty)) return { value: body as T }
  const error = response.ok ? unexpectedResponse(response) : errorOf(response, body)
  return {
    error,
    isTemporary: isTemporary(error.status, error.code),
    retryAfter: response.headers.get('retry-after'),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
