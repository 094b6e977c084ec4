import type { Database } from '../../platform/db/database.ts'
import type { Figures } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples } from '../../platform/metrics/queues.ts'
import type { DeliveryCounts } from './deliveries/delivery-counts.ts'
import { readWebhookQueues } from './store-metrics.ts'

/** @param counts null in a process that sends no webhooks */
export const webhookMetrics = (counts: Pick<DeliveryCounts, 'all'> | null, db: Database): Figures[] => [
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
      muripo_webhook_attempts_total: (counts?.all() ?? []).map(({ endpoint, verdict, count }) => ({
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
