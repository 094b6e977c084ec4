/** Clients of the dashboard in a process of their own. Each searches again after a response, or when a refusal allows it. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Searching {
  readonly url: string
  readonly authorization: string
  readonly clients: number
}

/** The number of responses of each status. */
export type StatusCounts = Record<string, number>

let stopping = new AbortController()
let statuses: StatusCounts = {}

async function search({ url, authorization }: Searching, started: () => void): Promise<void> {
  const { signal } = stopping
  while (!signal.aborted) {
    const response = await fetch(`${url}/v1/payments/all?search=7a&status=PENDING&limit=1`, {
      headers: { authorization },
    })
    await response.arrayBuffer()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    started()
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1000
    await pause(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

async function run(searching: Searching): Promise<void> {
  stopping = new AbortController()
  statuses = {}
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const all = Array.from({ length: searching.clients }, () => search(searching, resolve))
  await started
  process.send?.('searching')
  await Promise.all(all)
  process.send?.(statuses)
}

process.on('disconnect', () => process.exit())
process.on('message', (message: Searching | 'count' | 'stop') => {
  if (message === 'stop') stopping.abort()
  else if (message === 'count') process.send?.(statuses)
  else void run(message)
})
process.send?.('ready')
