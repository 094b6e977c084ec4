import { inBareRequests } from '../lib/http-only.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { line, machine, microseconds, rates, rule, whole } from '../lib/report-lines.ts'
import { median } from '../lib/statistics.ts'
import type { Figures } from './measure.ts'
import { rowsOfBatch } from './recording.ts'

const milli = (ms: number) => `${ms.toFixed(1)} ms`

const rate = (label: string, name: string, values: readonly number[], clients: number): string =>
  `${label.padEnd(4)}${name.padEnd(40)}${rates(values, whole, 8)}${String(clients).padStart(9)}`

/** On Citus, PostgreSQL without the extension on the coordinator alone. */
export const tpcbName = ({ cluster, tpcbScale }: Options): string =>
  `pgbench, tpcb-like, scale ${tpcbScale}${cluster ? ', one node' : ''}`

const ratio = (name: string, over: readonly number[], under: readonly number[]) =>
  `${name.padEnd(8)}${(median(over) / median(under)).toFixed(2).padStart(5)}`

export function printCreates(figures: Figures, options: Options): void {
  console.log(
    [
      '',
      `Creating payments · Node ${process.versions.node} · ${figures.settings}`,
      `${machine(figures.costs.others)} · gateway, database and clients on this machine, over loopback`,
      figures.conditions,
      `medians of ${options.rounds} interleaved rounds of ${options.seconds} s · ${whole(figures.created)} answers, no errors, each found as a row`,
      '',
      ...rateLines(options, figures),
      '',
      'waiting, open loop (counted from when a request was due)',
      rule,
      ...figures.latencies.map(({ share, rate: due, p50, p99, bareP99 }) =>
        line(
          `${share * 100} % of A, ${whole(due)} a second`,
          `p50 ${milli(p50)}   p99 ${milli(p99)}   H's p99 ${milli(bareP99)}`,
        ),
      ),
      '',
      ...costLines(figures),
    ].join('\n'),
  )
}

function rateLines(options: Options, figures: Figures): string[] {
  const { creates, createsOfOne, pgbenchCreates, pgbenchRows, tpcb, httpOnly, reads, httpOnlyReads } = figures
  const { clients } = figures
  const hasScripts = pgbenchCreates.length > 0
  return [
    `${'per second'.padEnd(44)}${'median'.padStart(8)}${'least – most'.padStart(17)}${'clients'.padStart(9)}`,
    rule,
    rate('A', `creates, ${whole(options.merchants)} merchants by Zipf`, creates, clients.creates),
    rate('AF', `${fewMerchants} merchants in turn, one amount`, figures.createsOfFew, clients.creates),
    rate('A1', 'one merchant, one amount', createsOfOne, clients.creates),
    ...(hasScripts
      ? [
          rate('P1', 'pgbench, the SQL of one create', pgbenchCreates, clients.pgbenchCreates),
          rate('PB', `the same, ${rowsOfBatch} rows a transaction`, pgbenchRows, clients.pgbenchRows),
        ]
      : []),
    rate('P0', tpcbName(options), tpcb, clients.tpcb),
    rate('H', 'HTTP and validation, no database', httpOnly, clients.httpOnly),
    rate('R', 'reads of one payment', reads, clients.reads),
    rate('HR', 'the same, no database', httpOnlyReads, clients.httpOnlyReads),
    rule,
    [
      ...(hasScripts
        ? [
            ratio('A/P1', creates, pgbenchCreates),
            ratio('A/PB', creates, pgbenchRows),
            ratio('A1/P1', createsOfOne, pgbenchCreates),
          ]
        : []),
      ratio('A/P0', creates, tpcb),
      ratio('A/H', creates, httpOnly),
      ratio('R/H', reads, httpOnly),
      ratio('R/HR', reads, httpOnlyReads),
    ].join('   '),
    ...(hasScripts
      ? []
      : ['P1 and PB are left out: their SQL is that of one database, and pgbench knows no shard groups']),
  ]
}

function costLines({
  costs,
  pgbenchCreates,
  pgbenchPostgres,
  bareRequest,
  perRequest,
  memory,
  fdatasyncs,
}: Figures): string[] {
  const total = costs.node + costs.postgres + costs.generator
  const ofPgbench = pgbenchCreates.length > 0 ? ` (P1: ${microseconds(pgbenchPostgres)})` : ''
  const ofAll = Number.isNaN(total) ? '' : ` (${whole((100 * costs.generator) / total)} % of all)`
  return [
    'one create costs',
    rule,
    line('processor, gateway', inBareRequests(costs.node, bareRequest)),
    line('processor, H', microseconds(bareRequest)),
    line('processor, PostgreSQL', `${microseconds(costs.postgres)}${ofPgbench}`),
    line('processor, generator', `${microseconds(costs.generator)}${ofAll}`),
    ...(perRequest === undefined
      ? []
      : [
          line('commits', perRequest.commits.toFixed(3)),
          line('WAL flushes', perRequest.walSyncs.toFixed(3)),
          line('WAL written', `${whole(perRequest.walBytes)} bytes`),
        ]),
    '',
    line('gateway, memory before and after', `${whole(memory.before)} MB, ${whole(memory.after)} MB`),
    ...(fdatasyncs === undefined
      ? []
      : [line('pg_test_fsync, fdatasync of one page', `${whole(fdatasyncs)} a second`)]),
  ]
}
