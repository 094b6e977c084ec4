import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import type { Sent } from './send.ts'

/** unproven: never answered with a 2xx. failing: its last delivery was given up. */
export type EndpointClass = 'proven' | 'unproven' | 'failing'

export interface DeliveryCount {
  readonly endpoint: EndpointClass
  readonly verdict: Sent['verdict']
  readonly count: number
}

/** Counters of the delivery attempts of this process since its start. */
export interface DeliveryCounts {
  note(endpoint: Pick<CallableEndpoint, 'isProven' | 'status'>, verdict: Sent['verdict']): void
  all(): readonly DeliveryCount[]
}

export function createDeliveryCounts(): DeliveryCounts {
  const counts = new Map<string, DeliveryCount>()
  return {
    note({ isProven, status }, verdict) {
      const endpoint = status === 'failing' ? 'failing' : isProven ? 'proven' : 'unproven'
      const key = `${endpoint} ${verdict}`
      counts.set(key, { endpoint, verdict, count: (counts.get(key)?.count ?? 0) + 1 })
    },
    all: () => [...counts.values()],
  }
}
