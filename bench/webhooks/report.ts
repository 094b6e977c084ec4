import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Options } from '../lib/options.ts'
import { median, percentile } from '../lib/statistics.ts'
import type { WebhookFigures } from './measure.ts'

const rule = '-'.repeat(78)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const rate = (values: readonly number[]) =>
  `${whole(median(values)).padStart(9)}${`${whole(Math.min(...values))} – ${whole(Math.max(...values))}`.padStart(17)}`
const micro = (seconds: number) => `${Math.round(seconds * 1_000_000)} µs`
const percent = (share: number) => `${Math.round(100 * share)} %`

export function printWebhooks({ rounds, seconds }: Options, figures: WebhookFigures): void {
  const { posts, inserts, deliveries, waits, halfLoad, cpu, others } = figures
  const ratios = deliveries.map((value, round) => value / (posts[round] ?? Number.NaN))
  const line = (name: string, value: string) => name.padEnd(78 - value.length) + value
  console.log(
    [
      '',
      `Webhooks · ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), others used ${percent(others)} of them, load ${loadavg()[0]?.toFixed(1)}`,
      `ten endpoints, one receiver on this machine · medians of ${rounds} interleaved rounds of ${seconds} s, nothing lost`,
      '',
      `${'per second'.padEnd(52)}${'median'.padStart(9)}${'least – most'.padStart(17)}`,
      rule,
      `${'the same POSTs by undici, no database'.padEnd(52)}${rate(posts)}`,
      `${'the same events written, 200 a statement'.padEnd(52)}${rate(inserts)}`,
      `${'deliveries, first row to settled row'.padEnd(52)}${rate(deliveries)}`,
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
      line('gateway', micro(cpu.gateway)),
      line('PostgreSQL, with the writing of the event', micro(cpu.postgres)),
    ].join('\n'),
  )
}
