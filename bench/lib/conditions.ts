import type pg from 'pg'
import type { Sessions } from '../../scripts/lib/citus/sessions.ts'
import type { Options } from './options.ts'
import { median } from './statistics.ts'

/** Settings of PostgreSQL under which it waits before each flush of a commit, however few other transactions there are. */
export const flushSettings = (flushDelayMs: number): Readonly<Record<string, string>> =>
  flushDelayMs === 0 ? {} : { commit_delay: String(flushDelayMs * 1000), commit_siblings: '0' }

const COMMITS = 100

/**
 * The conditions of a benchmark as a line of its report.
 * @throws when the commits of one session take less than the delay
 */
export async function describeConditions(
  { sql, nodes, groups, citus }: Sessions,
  { flushDelayMs, processes, payments }: Options,
): Promise<string> {
  const took: number[] = []
  for (let nth = 0; nth < COMMITS; nth += 1) {
    const since = performance.now()
    await groups.each[0].query("select pg_logical_emit_message(true, 'bench', '')")
    took.push(performance.now() - since)
  }
  // The flush of another session may contain a single commit, which then does not wait.
  if (median(took) < flushDelayMs)
    throw new Error(`a commit took ${median(took)} ms, and each flush has to take ${flushDelayMs} more`)
  return [
    ...(citus === null ? [] : [`${citus}, ${nodes.length} nodes, ${groups.each.length} shards`]),
    `${processes} API ${processes === 1 ? 'process' : 'processes'}`,
    `each flush takes ${flushDelayMs} ms more; a commit of one session alone ${median(took).toFixed(2)} ms`,
    payments === 0
      ? 'no payments were there'
      : `${payments.toLocaleString('en')} payments were there, with totals of ${await totalsMb(sql)} MB`,
  ].join(' · ')
}

async function totalsMb(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(name::regclass)) as bytes from unnest(array['payment_counts', 'payment_revenue']) as name",
  )
  return Math.round(Number(rows[0]?.bytes) / 1e6)
}
