import type { Database } from '../../platform/db/database.ts'
import type { Figures, Sample } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples } from '../../platform/metrics/queues.ts'
import type { PaymentsCtx } from './context.ts'
import type { OutcomeCount, PaymentCounts } from './payment/payment-counts.ts'
import { readOpenAttempts, readPaymentQueues } from './store-metrics.ts'

/** @param db sessions for the figures that are queried */
export const paymentMetrics = ({ counts }: Pick<PaymentsCtx, 'counts'>, db: Database): Figures[] => [
  countedFigures(counts),
  queriedFigures(db),
]

const outcomeSample = ({ outcome, provider, count }: OutcomeCount): Sample => ({
  labels: { outcome, provider },
  value: count,
})

const countedFigures = (counts: PaymentCounts): Figures => ({
  name: 'payments',
  metrics: {
    muripo_payments_total: {
      type: 'counter',
      help: 'Payments that changed their status in this process, by the new status and the provider of the attempt',
      labels: ['outcome', 'provider'],
    },
    muripo_attempts_total: {
      type: 'counter',
      help: 'Attempts that changed their status in this process, by the new status and the provider',
      labels: ['outcome', 'provider'],
    },
  },
  read() {
    return {
      muripo_payments_total: counts.payments().map(outcomeSample),
      muripo_attempts_total: counts.attempts().map(outcomeSample),
    }
  },
})

const queriedFigures = (db: Database): Figures => ({
  name: 'payment-queues',
  readsDatabase: true,
  metrics: {
    ...queueMetrics,
    muripo_open_attempts: {
      type: 'gauge',
      help: 'Attempts that may still succeed, by status',
      labels: ['status'],
    },
    muripo_open_attempts_oldest_seconds: {
      type: 'gauge',
      help: 'Age of the oldest attempt that may still succeed, by status; 0 when there is none',
      labels: ['status'],
    },
  },
  async read() {
    const open = await readOpenAttempts(db)
    return {
      ...queueSamples(await readPaymentQueues(db)),
      muripo_open_attempts: open.map(({ status, count }) => ({ labels: { status }, value: count })),
      muripo_open_attempts_oldest_seconds: open.map(({ status, oldestMs }) => ({
        labels: { status },
        value: oldestMs / 1000,
      })),
    }
  },
})
