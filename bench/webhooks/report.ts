import { loadavg } from 'node:os'
import type { Options } from '../lib/options.ts'
import { line, machine, microseconds, rates, rule, whole } from '../lib/report-lines.ts'
import { median, percentile } from '../lib/statistics.ts'
import type { WebhookFigures } from './measure.ts'

export function printWebhooks(figures: WebhookFigures, { rounds, seconds }: Options): void {
  const { posts, inserts, deliveries, waits, halfLoad, cpu, others } = figures
  const ratios = deliveries.map((value, round) => value / (posts[round] ?? Number.NaN))
  console.log(
    [
      '',
      `Webhooks · ${machine(others)}, load ${loadavg()[0]?.toFixed(1)}`,
      `ten endpoints, one receiver on this machine · medians of ${rounds} interleaved rounds of ${seconds} s, nothing lost`,
      '',
      `${'per second'.padEnd(52)}${'median'.padStart(9)}${'least – most'.padStart(17)}`,
      rule,
      `${'the same POSTs by undici, no database'.padEnd(52)}${rates(posts, whole, 9)}`,
      `${'the same events written, 200 a statement'.padEnd(52)}${rates(inserts, whole, 9)}`,
      `${'deliveries, first row to settled row'.padEnd(52)}${rates(deliveries, whole, 9)}`,
      rule,
      line('deliveries / POSTs, median of the rounds', median(ratios).toFixed(2)),
      '',
      `From the commit of an event to its first delivery, ${whole(halfLoad)} commits a second`,
      rule,
      line('p50', `${percentile(waits, 0.5).toFixed(0)} ms`),
      line('p99', `${percentile(waits, 0.99).toFixed(0)} ms`),
      line('the longest', `${Math.max(...waits).toFixed(0)} ms`),
      '',
      'processor time of one delivery',
      rule,
      line('gateway', microseconds(cpu.gateway)),
      line('PostgreSQL, with the writing of the event', microseconds(cpu.postgres)),
    ].join('\n'),
  )
}
