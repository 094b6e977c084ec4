import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Searching, StatusCounts } from './search-clients.ts'

/** Clients in a process of their own that search from `start` until `stop`. */
export interface Searchers {
  start(searching: Searching): Promise<void>
  /** The number of responses by status. */
  stop(): Promise<StatusCounts>
  close(): void
}

export async function forkSearchers(): Promise<Searchers> {
  const clients = fork(fileURLToPath(new URL('search-clients.ts', import.meta.url)), { execArgv: [] })
  await once(clients, 'message')
  return {
    async start(searching) {
      clients.send(searching)
      await once(clients, 'message')
    },
    async stop() {
      clients.send('stop')
      const [statuses] = await once(clients, 'message')
      return statuses as StatusCounts
    },
    close: () => clients.disconnect(),
  }
}
