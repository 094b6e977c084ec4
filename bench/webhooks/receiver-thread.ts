/**
 * A merchant's server that accepts every event, on a separate thread; it reports the number of events and their
 * arrival times.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

let arrivals = new Map<string, number>()
let count = 0
const server = createServer((request, reply) => {
  request.resume().on('end', () => {
    reply.writeHead(204).end()
    count += 1
    const id = String(request.headers['webhook-id'])
    if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now())
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
parentPort?.on('message', (command: 'count' | 'arrivals') => {
  if (command === 'count') return parentPort?.postMessage(count)
  parentPort?.postMessage(arrivals)
  arrivals = new Map()
})
