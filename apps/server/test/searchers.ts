import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Searching, StatusCounts } from './search-clients.ts'

/** Clients in a process of their own that search from `start` until `stop`. */
export interface Searchers {
  start(searching: Searching): Promise<void>
  /** The number of responses by status so far. */
  count(): Promise<StatusCounts>
  /** The number of responses by status in all. */
  stop(): Promise<StatusCounts>
  close(): void
}

export async function forkSearchers(): Promise<Searchers> {
  const clients = fork(fileURLToPath(new URL('search-clients.ts', import.meta.url)), { execArgv: [] })
  await once(clients, 'message')
  const request = async (message: Searching | 'count' | 'stop') => {
    clients.send(message)
    const [answer] = await once(clients, 'message')
    return answer
  }
  return {
    start: (searching) => request(searching),
    count: () => request('count'),
    stop: () => request('stop'),
    close: () => clients.disconnect(),
  }
}
