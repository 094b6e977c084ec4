import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server of someone whom the gateway calls: of a merchant or of a provider. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** A merchant's server that takes events. @param take returns the response; null loses it */
export async function openReceiver(take: (delivery: Delivery) => Reply | null): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    try {
      const reply = take({ headers: request.headers, body: await text(request) })
      if (reply === null) response.destroy()
      else
        response.writeHead(reply.status, { 'content-type': 'text/plain', ...reply.headers }).end(reply.body)
    } catch {
      // The gateway was killed during the delivery.
      response.destroy()
    }
  })
  server.keepAliveTimeout = 60_000
  return { url: `${await listen(server)}/muripo/events`, close: () => closeServer(server) }
}
