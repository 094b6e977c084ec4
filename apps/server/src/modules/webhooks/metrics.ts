import type { Database } from '../../platform/db/database.ts'
import type { Figures } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples } from '../../platform/metrics/queues.ts'
import type { DeliveryCount, DeliveryCounts } from './deliveries/delivery-counts.ts'
import { readWebhookQueues } from './store-metrics.ts'

/** @param relays of each shard group; empty in a process that sends no webhooks */
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
