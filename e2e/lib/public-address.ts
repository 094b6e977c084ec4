import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificateFor } from '@muripo/testing/certificate'

/** A proxy with TLS, such as a deployment for real money has. Browsers do not trust its certificate. */
export interface PublicAddress {
  readonly url: string
  /** The address of the gateway to which it forwards calls. */
  forwardTo(gatewayUrl: string): void
  close(): void
}

export async function openPublicAddress(): Promise<PublicAddress> {
  let target = ''
  const server = createServer(await certificateFor('localhost'), (incoming, outgoing) => {
    const forwarded = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo(gatewayUrl) {
      target = gatewayUrl
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
