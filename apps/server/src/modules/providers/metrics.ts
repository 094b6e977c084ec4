import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import type { Figures, Sample } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples, readQueues } from '../../platform/metrics/queues.ts'
import { type CallFigures, latencyRangesMs } from './calls/figures.ts'
import type { CallTotals, ProviderCalls } from './calls/provider-calls.ts'

const results = ['completed', 'declined', 'failed', 'busy', 'blocked'] as const

export const providerMetrics = (
  calls: Pick<ProviderCalls, 'totals' | 'waitedMs'>,
  db: Database,
): Figures[] => [
  {
    name: 'provider-calls',
    metrics: {
      muripo_provider_calls_total: {
        type: 'counter',
        help: 'Calls to a provider by result; answered: without an end of a charge; blocked: not made because the last ones had failed',
        labels: ['provider', 'result'],
      },
      muripo_provider_call_duration_seconds: {
        type: 'histogram',
        help: 'Duration of the calls to a provider, without the wait for its budget',
        labels: ['provider'],
      },
      muripo_provider_budget_waits_seconds_total: {
        type: 'counter',
        help: 'Time in which calls have waited for the budget of a provider; a rate of 1: the budget is used up all the time',
        labels: ['provider'],
      },
    },
    read: () => ({
      muripo_provider_calls_total: samplesOf(calls, resultSamples),
      muripo_provider_call_duration_seconds: samplesOf(calls, durationSamples),
      muripo_provider_budget_waits_seconds_total: [...calls.waitedMs()].map(([provider, ms]) => ({
        labels: { provider },
        value: ms / 1000,
      })),
    }),
  },
  {
    name: 'callbacks',
    readsDatabase: true,
    metrics: queueMetrics,
    read: async () => queueSamples(await readQueues(db, { callbacks: waitingCallbacks })),
  },
]

/** Callbacks of providers whose look-up has not been definite yet. */
const waitingCallbacks = sql`select next_attempt_at as due_at from provider_callbacks
  where processed_at is null and next_attempt_at <= ${databaseNow} order by next_attempt_at`

const samplesOf = (
  calls: Pick<ProviderCalls, 'totals'>,
  samples: (provider: string, totals: CallTotals) => Sample[],
): Sample[] => [...calls.totals()].flatMap(([provider, figures]) => samples(provider, figures))

function resultSamples(provider: string, figures: CallFigures): Sample[] {
  // A blocked call was not made.
  const { calls, completed, declined, failed, busy } = figures
  const answered = calls - completed - declined - failed - busy
  return [
    { labels: { provider, result: 'answered' }, value: answered },
    ...results.map((result) => ({ labels: { provider, result }, value: figures[result] })),
  ]
}

/** A histogram of Prometheus. Each bucket contains the shorter ones. */
function durationSamples(provider: string, { calls, durationMs, latency }: CallTotals): Sample[] {
  let below = 0
  const buckets = latency.map((count, index): Sample => {
    below += count
    const ms = latencyRangesMs[index]
    const le = ms === undefined ? '+Inf' : String(ms / 1000)
    return { part: 'bucket', labels: { provider, le }, value: below }
  })
  return [
    ...buckets,
    { part: 'sum', labels: { provider }, value: durationMs / 1000 },
    { part: 'count', labels: { provider }, value: calls },
  ]
}
