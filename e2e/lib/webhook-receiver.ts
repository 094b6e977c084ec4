import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Delivered {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A merchant's server that takes events, on a socket. */
export interface WebhookReceiver {
  readonly url: string
  readonly delivered: Delivered[]
  /** The response from now on. */
  answer: { status: number; body: string; retryAfterSeconds?: number }
  close(): Promise<void>
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    receiver.delivered.push({ headers: request.headers, body })
    const { status, body: text, retryAfterSeconds } = receiver.answer
    if (retryAfterSeconds !== undefined) reply.setHeader('retry-after', String(retryAfterSeconds))
    reply.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/muripo/events`,
    delivered: [],
    answer: { status: 200, body: 'thank you' },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
