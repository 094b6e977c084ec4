import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Chance } from './chance.ts'
import { closeServer, listen } from './listen.ts'

interface Event {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly paymentId: string
}

export interface Receiver {
  readonly url: string
  /** By webhook-id, each with the number of its deliveries. */
  readonly taken: ReadonlyMap<string, Event & { readonly times: number }>
  /** Ids that were delivered with different bodies. */
  readonly contradicted: ReadonlySet<string>
  close(): Promise<void>
}

/** A merchant's server that records events, and whose response is sometimes lost. */
export async function startReceiver(chance: Chance): Promise<Receiver> {
  const taken = new Map<string, Event & { times: number }>()
  const bodies = new Map<string, string>()
  const contradicted = new Set<string>()
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request)
      const id = String(request.headers['webhook-id'])
      const { type, sequence, data } = JSON.parse(body) as {
        type: string
        sequence: number
        data: { id: string }
      }
      if ((bodies.get(id) ?? body) !== body) contradicted.add(id)
      bodies.set(id, body)
      const times = (taken.get(id)?.times ?? 0) + 1
      taken.set(id, { id, type, sequence, paymentId: data.id, times })
      if (times === 1 && chance.percent(5)) response.destroy()
      else response.writeHead(204).end()
    } catch {
      // The gateway was killed during the delivery.
      response.destroy()
    }
  })
  const url = await listen(server)
  return { url: `${url}/hooks`, taken, contradicted, close: () => closeServer(server) }
}
