import { errorOf, type MuripoError, networkError, unexpectedResponse } from './error.ts'
import { isTemporary, pauseMs } from './retry.ts'

const MAX_RETRIES = 2

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
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

/** Sends the call, and retries temporary failures with the same idempotency key. */
export async function send<T>(target: Target, call: Call): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    const result = await attempt<T>(target, call)
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

async function attempt<T>(target: Target, call: Call): Promise<{ value: T } | Failure> {
  let response: Response
  let text: string
  try {
    response = await fetch(`${target.baseUrl}/api/v1${call.path}`, {
      method: call.method,
      headers: headersOf(target, call),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A key must not be sent to the target of a redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(target.timeoutMs),
    })
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

const headersOf = ({ key }: Target, { body, idempotencyKey }: Call): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  accept: 'application/json',
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
