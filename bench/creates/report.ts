import { availableParallelism, cpus } from 'node:os'
import { fewMerchants, type Options } from '../lib/options.ts'
import { median } from '../lib/statistics.ts'
import type { Figures } from './measure.ts'
import { rowsOfBatch } from './recording.ts'

const rule = '-'.repeat(78)

const whole = (value: number) => Math.round(value).toLocaleString('en')
const micro = (seconds: number) => (Number.isNaN(seconds) ? 'not measured' : `${whole(seconds * 1e6)} µs`)
const milli = (ms: number) => `${ms.toFixed(1)} ms`

function rate(name: string, what: string, values: readonly number[], clients: string): string {
  const spread = `${whole(Math.min(...values))} – ${whole(Math.max(...values))}`
  return `${name.padEnd(4)}${what.padEnd(40)}${whole(median(values)).padStart(8)}${spread.padStart(17)}${clients.padStart(9)}`
}

/** On Citus, PostgreSQL without the extension on the coordinator alone. */
export const tpcbName = ({ cluster, tpcbScale }: Options): string =>
  `pgbench, tpcb-like, scale ${tpcbScale}${cluster ? ', one node' : ''}`

const ratio = (name: string, over: readonly number[], under: readonly number[]) =>
  `${name.padEnd(8)}${(median(over) / median(under)).toFixed(2).padStart(5)}`

const line = (what: string, reported: string) => `${what.padEnd(44)}${reported.padStart(34)}`

export function print(options: Options, figures: Figures): void {
  const { a, oneMerchant, p1, pb, p0, h, reads, hReads, clients, costs, perRequest, memory } = figures
  const total = costs.node + costs.postgres + costs.generator
  const hasScripts = p1.length > 0
  console.log(
    [
      '',
      `Creating payments · Node ${process.versions.node} · ${figures.settings}`,
      `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), others used ${whole(100 * costs.others)} % of them · gateway, database and clients on this machine, over loopback`,
      figures.conditions,
      `medians of ${options.rounds} interleaved rounds of ${options.seconds} s · ${whole(figures.created)} answers, no errors, each found as a row`,
      '',
      `${'per second'.padEnd(44)}${'median'.padStart(8)}${'least – most'.padStart(17)}${'clients'.padStart(9)}`,
      rule,
      rate('A', `creates, ${whole(options.merchants)} merchants by Zipf`, a, String(clients.a)),
      rate('AF', `${fewMerchants} merchants in turn, one amount`, figures.fewMerchants, String(clients.a)),
      rate('A1', 'one merchant, one amount', oneMerchant, String(clients.a)),
      ...(hasScripts
        ? [
            rate('P1', 'pgbench, the SQL of one create', p1, String(clients.p1)),
            rate('PB', `the same, ${rowsOfBatch} rows a transaction`, pb, String(clients.pb)),
          ]
        : []),
      rate('P0', tpcbName(options), p0, String(clients.p0)),
      rate('H', 'HTTP and validation, no database', h, String(clients.h)),
      rate('R', 'reads of one payment', reads, String(clients.r)),
      rate('HR', 'the same, no database', hReads, String(clients.hr)),
      rule,
      [
        ...(hasScripts ? [ratio('A/P1', a, p1), ratio('A/PB', a, pb), ratio('A1/P1', oneMerchant, p1)] : []),
        ratio('A/P0', a, p0),
        ratio('A/H', a, h),
        ratio('R/H', reads, h),
        ratio('R/HR', reads, hReads),
      ].join('   '),
      ...(hasScripts
        ? []
        : ['P1 and PB are left out: their SQL is that of one database, and pgbench knows no shard groups']),
      '',
      'waiting, open loop (counted from when a request was due)',
      rule,
      ...figures.latencies.map(({ share, rate: due, p50, p99 }) =>
        line(`${share * 100} % of A, ${whole(due)} a second`, `p50 ${milli(p50)}   p99 ${milli(p99)}`),
      ),
      '',
      'one create costs',
      rule,
      line('processor, gateway', micro(costs.node)),
      line(
        'processor, PostgreSQL',
        `${micro(costs.postgres)}${hasScripts ? ` (P1: ${micro(figures.p1Postgres)})` : ''}`,
      ),
      line(
        'processor, generator',
        `${micro(costs.generator)}${Number.isNaN(total) ? '' : ` (${whole((100 * costs.generator) / total)} % of all)`}`,
      ),
      ...(perRequest === undefined
        ? []
        : [
            line('commits', perRequest.commits.toFixed(3)),
            line('WAL flushes', perRequest.walSyncs.toFixed(3)),
            line('WAL written', `${whole(perRequest.walBytes)} bytes`),
          ]),
      '',
      line('gateway, memory before and after', `${whole(memory.before)} MB, ${whole(memory.after)} MB`),
      ...(figures.fdatasyncs === undefined
        ? []
        : [line('pg_test_fsync, fdatasync of one page', `${whole(figures.fdatasyncs)} a second`)]),
    ].join('\n'),
  )
}
