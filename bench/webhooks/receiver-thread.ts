/**
 * A merchant's server that accepts every event, on a separate thread; it reports the number of events and their
 * arrival times.
 */
import { parentPort } from 'node:worker_threads'
import { openReceiver } from '@muripo/rig/receiver'

let arrivals = new Map<string, number>()
let count = 0
const { url } = await openReceiver(({ headers }) => {
  count += 1
  const id = String(headers['webhook-id'])
  if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now())
  return { status: 204 }
})
parentPort?.on('message', (command: 'count' | 'arrivals') => {
  if (command === 'count') return parentPort?.postMessage(count)
  parentPort?.postMessage(arrivals)
  arrivals = new Map()
})
parentPort?.postMessage(url)
