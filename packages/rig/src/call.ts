export interface Answer<T> {
  readonly status: number
  readonly body: T
}

interface Call {
  readonly body?: unknown
  readonly bearer?: string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** Each receives the body of every call and of every response. */
export const observers = new Set<(body: unknown) => void>()

/** Enough for a busy machine. */
const TIMEOUT_MS = 60_000

/** Makes a JSON call like an integration. A response with any status is returned; a form is sent as it is. */
export async function call<T>(method: string, url: string, request: Call = {}): Promise<Answer<T>> {
  const { body, bearer, idempotencyKey, headers, timeoutMs = TIMEOUT_MS } = request
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await fetch(url, {
    method,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  for (const observe of observers) for (const each of [isJson ? body : null, answer]) observe(each)
  return { status: response.status, body: answer as T }
}

/** The body of a successful response. Any other response throws. */
export async function callOk<T>(method: string, url: string, request: Call = {}): Promise<T> {
  const { status, body } = await call<T>(method, url, request)
  if (status < 200 || status > 299) {
    throw new Error(`${method} ${url} answers ${status}: ${JSON.stringify(body)}`)
  }
  return body
}

/** The calls of a merchant's server with the key of an application, each with the path after `/api/v1`. */
export const callsWith =
  (url: string, key: string, timeoutMs = TIMEOUT_MS) =>
  <T>(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Answer<T>> =>
    call(method, `${url}/api/v1${path}`, {
      bearer: key,
      timeoutMs,
      ...(body && { body }),
      ...(idempotencyKey && { idempotencyKey }),
    })
