import { secrets } from './secrets.ts'

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

interface Call {
  readonly body?: unknown
  readonly bearer?: string
}

/** Makes a JSON call like an integration. A response with any status is returned. */
export async function call<T>(method: string, url: string, { body, bearer }: Call = {}): Promise<Answer<T>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  for (const reported of [body, answer]) secrets.gather(reported)
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
