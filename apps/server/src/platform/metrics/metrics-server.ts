import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` on a port of its own, which the proxy in front of the gateway does not reach. */
export interface MetricsServer {
  /** Resolves to the port. */
  listen(port: number, host: string): Promise<number>
  close(): Promise<void>
}

export function createMetricsServer({ registry, text }: Metrics, log: Pick<Log, 'error'>): MetricsServer {
  const answer: RequestListener = async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const body = await text()
      response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(body)
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be written')
      response.writeHead(500).end()
    }
  }
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, answer)
  server.maxConnections = 20
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
