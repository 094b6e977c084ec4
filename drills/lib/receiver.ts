import type { Chance } from '@muripo/rig/chance'
import { openReceiver, type Receiver } from '@muripo/rig/receiver'

interface Event {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly paymentId: string
}

export interface EventReceiver extends Receiver {
  /** By webhook-id, each with the number of its deliveries. */
  readonly taken: ReadonlyMap<string, Event & { readonly times: number }>
  /** Ids that were delivered with different bodies. */
  readonly contradicted: ReadonlySet<string>
}

/** A merchant's server that records events, and whose response is sometimes lost. */
export async function startReceiver(chance: Chance): Promise<EventReceiver> {
  const taken = new Map<string, Event & { times: number }>()
  const bodies = new Map<string, string>()
  const contradicted = new Set<string>()
  const receiver = await openReceiver(({ headers, body }) => {
    const id = String(headers['webhook-id'])
    const { type, sequence, data } = JSON.parse(body) as {
      type: string
      sequence: number
      data: { id: string }
    }
    if ((bodies.get(id) ?? body) !== body) contradicted.add(id)
    bodies.set(id, body)
    const times = (taken.get(id)?.times ?? 0) + 1
    taken.set(id, { id, type, sequence, paymentId: data.id, times })
    return times === 1 && chance.percent(5) ? null : { status: 204 }
  })
  return { ...receiver, taken, contradicted }
}
