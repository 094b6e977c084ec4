import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import type { Figures, Sample } from '../../platform/metrics/figures.ts'
import { queueMetrics, queueSamples, readQueues } from '../../platform/metrics/queues.ts'
import { type CallFigures, latencyRangesMs } from './calls/figures.ts'
import type { ProviderCalls } from './calls/provider-calls.ts'

const results = ['completed', 'declined', 'failed', 'busy', 'blocked'] as const

export const providerMetrics = (calls: Pick<ProviderCalls, 'totals'>, db: Database): Figures[] => [
  {
    name: 'provider-calls',
    metrics: {
      muripo_provider_calls_total: {
        type: 'counter',
        help: 'Calls to a provider by result; answered: without an end of a charge; blocked: not made because the last ones had failed',
        labels: ['provider', 'result'],
      },
      muripo_provider_call_duration_seconds_bucket: {
        type: 'counter',
        help: 'Calls to a provider whose duration was at most le seconds',
        labels: ['provider', 'le'],
      },
    },
    read: () => ({
      muripo_provider_calls_total: samplesOf(calls, resultSamples),
      muripo_provider_call_duration_seconds_bucket: samplesOf(calls, durationSamples),
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
  samples: (provider: string, figures: CallFigures) => Sample[],
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

/** The buckets of a histogram of Prometheus, each with the calls of the shorter ones. */
function durationSamples(provider: string, { latency }: CallFigures): Sample[] {
  let below = 0
  return latency.map((count, index) => {
    below += count
    const ms = latencyRangesMs[index]
    return { labels: { provider, le: ms === undefined ? '+Inf' : String(ms / 1000) }, value: below }
  })
}
