import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface Receiver {
  readonly url: string
  /** The number of received requests. */
  count(): Promise<number>
  /** Arrival of each event by id, in milliseconds since 1970; reset after each read. */
  arrivals(): Promise<ReadonlyMap<string, number>>
  stop(): Promise<unknown>
}

export async function startReceiver(): Promise<Receiver> {
  const worker = new Worker(new URL('./receiver-thread.ts', import.meta.url))
  const [url] = (await once(worker, 'message')) as [string]
  const request = async <T>(what: string): Promise<T> => {
    worker.postMessage(what)
    const [message] = (await once(worker, 'message')) as [T]
    return message
  }
  return {
    url,
    count: () => request('count'),
    arrivals: () => request('arrivals'),
    stop: () => worker.terminate(),
  }
}
