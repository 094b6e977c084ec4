import { errorOf, type MuripoError, networkError, unexpectedAnswer } from './error.ts'
import { isPassing, pauseMs } from './retry.ts'

const MAX_RETRIES = 2

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** A request whose repetition has a second effect is sent once. */
  readonly once?: boolean
  /**
   * Called when a request is refused after an attempt that may have succeeded: returns that attempt's response,
   * or null to throw the refusal.
   */
  readonly answerLost?: (refusal: MuripoError) => Promise<unknown>
}

export interface Target {
  readonly key: string
  readonly baseUrl: string
  readonly timeoutMs: number
}

interface Failure {
  readonly error: MuripoError
  readonly isPassing: boolean
  readonly retryAfter: string | null
}

/** Makes the call, again if need be, always with the same idempotency key. */
export async function send<T>(target: Target, call: Call): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    const result = await attempt<T>(target, call)
    if ('value' in result) return result.value
    const mayRetry = result.isPassing && retry < MAX_RETRIES && !call.once
    const pause = mayRetry ? pauseMs(retry, result.retryAfter) : null
    if (pause === null) {
      const lost = retry > 0 && !result.isPassing ? await call.answerLost?.(result.error) : null
      if (lost) return lost as T
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
    return { error: networkError(cause), isPassing: true, retryAfter: null }
  }
  const body = parse(text)
  const isEmpty = response.status === 204
  if (response.ok && (body !== undefined || isEmpty)) return { value: body as T }
  const error = response.ok ? unexpectedAnswer(response) : errorOf(response, body)
  return {
    error,
    isPassing: isPassing(error.status, error.code),
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
