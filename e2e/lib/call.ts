import { secrets } from './secrets.ts'

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

interface Call {
  readonly body?: unknown
  readonly bearer?: string
}

/** A JSON call as an integration makes it, with whatever the answer's status is. */
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

/** The body of a call that must have worked. */
export async function done<T>(method: string, url: string, request: Call = {}): Promise<T> {
  const { status, body } = await call<T>(method, url, request)
  if (status < 200 || status > 299) {
    throw new Error(`${method} ${url} answers ${status}: ${JSON.stringify(body)}`)
  }
  return body
}
