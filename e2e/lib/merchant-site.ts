import { createServer } from 'node:http'
import { closeServer, listen } from '@muripo/rig/listen'

export interface MerchantSite {
  readonly url: string
  /** The addresses that payers have returned to, in order. */
  readonly visits: readonly string[]
  close(): Promise<void>
}

const page =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"><h1>Back at the shop</h1></html>'

/** A merchant's web site, to which the checkout leads back. */
export async function openMerchantSite(): Promise<MerchantSite> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end(page)
  })
  return {
    url: await listen(server),
    visits,
    close: () => closeServer(server),
  }
}
