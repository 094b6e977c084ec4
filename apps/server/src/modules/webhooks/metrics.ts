import type { Database } from '../../platform/db/database.ts'
import type { Figures } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples } from '../../platform/metrics/queues.ts'
import type { Sent } from './deliveries/send.ts'
import type { CallableEndpoint } from './endpoints/store-endpoints.ts'
import { readWebhookQueues } from './store-metrics.ts'

/** An unproven endpoint has never answered with a 2xx. The last delivery of a failing endpoint is exhausted. */
type EndpointClass = 'proven' | 'unproven' | 'failing'

interface DeliveryCount {
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

/** @param relays of each database; empty in a process that sends no webhooks */
export const webhookMetrics = (
  relays: readonly { readonly counts: Pick<DeliveryCounts, 'all'> }[],
  db: Database,
): Figures[] => [
  {
    name: 'deliveries',
    metrics: {
      muripo_webhook_attempts_total: {
        type: 'counter',
        help: 'Delivery attempts of this process by the class of the endpoint and the verdict',
        labels: ['endpoint', 'verdict'],
      },
    },
    read: () => ({
      muripo_webhook_attempts_total: summed(relays).map(({ endpoint, verdict, count }) => ({
        labels: { endpoint, verdict },
        value: count,
      })),
    }),
  },
  {
    name: 'webhook-queues',
    readsDatabase: true,
    metrics: queueMetrics,
    read: async () => queueSamples(await readWebhookQueues(db)),
  },
]

function summed(relays: Parameters<typeof webhookMetrics>[0]): DeliveryCount[] {
  const all = relays.flatMap(({ counts }) => counts.all())
  const groups = Map.groupBy(all, ({ endpoint, verdict }) => `${endpoint} ${verdict}`)
  return [...groups.values()].map((same) => ({
    ...(same[0] as DeliveryCount),
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
}
