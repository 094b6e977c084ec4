import { afterEach, vi } from 'vitest'

interface StubReply {
  readonly status?: number
  /** Undefined for an empty response. */
  readonly body: unknown
}

/** Replies by `METHOD /path`. A promise keeps the request open. */
type Replies = Readonly<Record<string, StubReply | Promise<StubReply>>>

export interface StubRequest {
  readonly call: string
  readonly body: unknown
}

afterEach(() => vi.unstubAllGlobals())

/** Replaces the network; returns the requests that were sent. Any other request fails as it does without a network. */
export function stubFetch(replies: Replies): StubRequest[] {
  const requests: StubRequest[] = []
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${address}`
    requests.push({ call, body: typeof body === 'string' ? JSON.parse(body) : body })
    const reply = await replies[call]
    if (reply === undefined) throw new TypeError('Failed to fetch')
    const { status = 200, body: content } = reply
    return content === undefined ? new Response(null, { status }) : Response.json(content, { status })
  })
  return requests
}
