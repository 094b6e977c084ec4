import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Shop {
  readonly url: string
  /** The addresses that payers came back to, in order. */
  readonly visits: readonly string[]
  close(): Promise<void>
}

const page =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"><h1>Back at the shop</h1></html>'

/** A merchant's web site, for the way back from the checkout. */
export async function openShop(): Promise<Shop> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
