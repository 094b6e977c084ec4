import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { databaseNow } from '../db/database-time.ts'
import type { Metric, Samples } from './figures.ts'

/** The state of a queue: the number of its entries that wait, and the time since the first of them was due. */
export interface QueueState {
  readonly queue: string
  readonly depth: number
  readonly oldestMs: number
}

/** Entries beyond this number are not counted, so that a count stays cheap when a queue is long. */
export const COUNTED_MAX = 10_000

/** Every module reports its queues under these two names. */
export const queueMetrics: Readonly<Record<string, Metric>> = {
  muripo_queue_depth: {
    type: 'gauge',
    help: `Entries that are due and wait, counted up to ${COUNTED_MAX}`,
    labels: ['queue'],
  },
  muripo_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Time since the first waiting entry was due; 0 when none waits',
    labels: ['queue'],
  },
}

export const queueSamples = (states: readonly QueueState[]): Samples => ({
  muripo_queue_depth: states.map(({ queue, depth }) => ({ labels: { queue }, value: depth })),
  muripo_queue_oldest_seconds: states.map(({ queue, oldestMs }) => ({
    labels: { queue },
    value: Math.max(0, oldestMs) / 1000,
  })),
})

/**
 * Reads queues in one statement.
 * @param due for each queue the query of its waiting entries in the order of an index, with the column `due_at`
 */
export async function readQueues(
  db: Database,
  due: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<QueueState[]> {
  const each = Object.entries(due).map(
    ([queue, entries]) => sql`
      select ${queue}::text as queue, count(*)::int as depth,
        coalesce(extract(epoch from ${databaseNow} - min(due_at)) * 1000, 0)::float8 as oldest_ms
      from (${entries} limit ${COUNTED_MAX}) as waiting`,
  )
  const { rows } = await sql<{ queue: string; depth: number; oldest_ms: number }>`${sql.join(
    each,
    sql` union all `,
  )}`.execute(db.kysely)
  return rows.map(({ queue, depth, oldest_ms }) => ({ queue, depth, oldestMs: oldest_ms }))
}
