import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { type BatchCounts, batchCounts } from '../db/batcher.ts'
import type { Database } from '../db/database.ts'
import { databaseNow } from '../db/database-time.ts'
import type { Heartbeat } from '../jobs/heartbeat.ts'
import type { EventLoopWatch } from './event-loop.ts'
import type { Figures, Sample } from './figures.ts'
import { COUNTED_MAX, queueMetrics, queueSamples, readQueues } from './queues.ts'

export interface ProcessParts {
  readonly eventLoop: Pick<EventLoopWatch, 'read'>
  readonly heartbeat: Heartbeat
  /** The connection pools by name. */
  readonly pools: Readonly<Record<string, pg.Pool>>
  readonly dataDir: string
  /** The difference of this machine's clock to the database's. */
  readonly clockSkewMs: () => number
  /** The names of the jobs that workers run. */
  readonly jobKinds: readonly string[]
}

/** The figures of this process and of the platform's tables. */
export const platformFigures = (db: Database, parts: ProcessParts): Figures[] => [
  processFigures(parts),
  {
    name: 'jobs',
    readsDatabase: true,
    metrics: {
      ...queueMetrics,
      muripo_jobs_failed: {
        type: 'gauge',
        help: 'Jobs that have used all their attempts and stay in the table, by task',
        labels: ['task'],
      },
    },
    read: () => readJobs(db, parts.jobKinds),
  },
  {
    name: 'disk',
    metrics: {
      muripo_disk_free_bytes: { type: 'gauge', help: 'Free space on the disk of MURIPO_DATA' },
      muripo_disk_size_bytes: { type: 'gauge', help: 'Size of the disk of MURIPO_DATA' },
    },
    async read() {
      const { bavail, blocks, bsize } = await statfs(parts.dataDir)
      return {
        muripo_disk_free_bytes: [{ value: bavail * bsize }],
        muripo_disk_size_bytes: [{ value: blocks * bsize }],
      }
    },
  },
]

const seconds = (ms: number): number => ms / 1000

const processMetrics: Figures['metrics'] = {
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time of this process' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory' },
  process_start_time_seconds: { type: 'gauge', help: 'Start of this process since 1970' },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used heap of JavaScript' },
  muripo_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop over the last complete second',
    labels: ['percentile'],
  },
  muripo_clock_skew_seconds: {
    type: 'gauge',
    help: "Difference of this machine's clock to the database's; positive when it is ahead",
  },
  muripo_task_lag_seconds: {
    type: 'gauge',
    help: 'Time by which a successful round of a background task is overdue',
    labels: ['task'],
  },
  muripo_pool_connections: {
    type: 'gauge',
    help: 'Connections of a pool to the database, by state',
    labels: ['pool', 'state'],
  },
  muripo_pool_waiting: { type: 'gauge', help: 'Callers that wait for a connection', labels: ['pool'] },
  muripo_batches_total: { type: 'counter', help: 'Batch statements', labels: ['batch'] },
  muripo_batched_calls_total: { type: 'counter', help: 'Calls in batch statements', labels: ['batch'] },
  muripo_batch_waiting: {
    type: 'gauge',
    help: 'Calls that wait for their batch statement',
    labels: ['batch'],
  },
}

function processFigures({ eventLoop, heartbeat, pools, clockSkewMs }: ProcessParts): Figures {
  const startedAt = seconds(performance.timeOrigin)
  return {
    name: 'process',
    metrics: processMetrics,
    read() {
      const { p50Ms, p99Ms, maxMs } = eventLoop.read()
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      const batches = (of: (counts: BatchCounts) => number): Sample[] =>
        [...batchCounts()].map(([batch, counts]) => ({ labels: { batch }, value: of(counts) }))
      return {
        process_cpu_seconds_total: [{ value: (user + system) / 1e6 }],
        process_resident_memory_bytes: [{ value: rss }],
        process_start_time_seconds: [{ value: startedAt }],
        nodejs_heap_size_used_bytes: [{ value: heapUsed }],
        muripo_event_loop_delay_seconds: [
          { labels: { percentile: '50' }, value: seconds(p50Ms) },
          { labels: { percentile: '99' }, value: seconds(p99Ms) },
          { labels: { percentile: '100' }, value: seconds(maxMs) },
        ],
        muripo_clock_skew_seconds: [{ value: seconds(clockSkewMs()) }],
        muripo_task_lag_seconds: heartbeat
          .lags()
          .map(({ name, lagMs }) => ({ labels: { task: name }, value: seconds(lagMs) })),
        muripo_pool_connections: Object.entries(pools).flatMap(([name, pool]) => [
          { labels: { pool: name, state: 'idle' }, value: pool.idleCount },
          { labels: { pool: name, state: 'busy' }, value: pool.totalCount - pool.idleCount },
        ]),
        muripo_pool_waiting: Object.entries(pools).map(([name, pool]) => ({
          labels: { pool: name },
          value: pool.waitingCount,
        })),
        muripo_batches_total: batches(({ batches }) => batches),
        muripo_batched_calls_total: batches(({ calls }) => calls),
        muripo_batch_waiting: batches(({ waiting }) => waiting),
      }
    },
  }
}

/** A job waits when it is due and no process runs it; emails are a queue of their own. */
async function readJobs(db: Database, kinds: readonly string[]) {
  const states = await readQueues(
    db,
    Object.fromEntries(
      kinds.map((kind) => [
        `job-${kind}`,
        sql`select due_at from jobs where kind = ${kind} and attempts < max_attempts and due_at <= ${databaseNow} order by due_at`,
      ]),
    ),
  )
  const { rows } = await sql<{ kind: string; failed: number }>`
    select kind, (select count(*)::int from (
      select from jobs where jobs.kind = kinds.kind and attempts >= max_attempts limit ${COUNTED_MAX}) as given_up) as failed
    from unnest(${kinds}::text[]) as kinds (kind)`.execute(db.kysely)
  return {
    ...queueSamples(states),
    muripo_jobs_failed: rows.map(({ kind, failed }) => ({ labels: { task: kind }, value: failed })),
  }
}
