import { availableParallelism, cpus } from 'node:os'
import { merchants, type Options } from '../options.ts'
import { median } from '../statistics.ts'
import type { LivesFigures } from './measure.ts'

const rule = '-'.repeat(78)
const whole = (value: number) => Math.round(value).toLocaleString('en')
const rate = (name: string, values: readonly number[], clients: number) =>
  `${name.padEnd(44)}${whole(median(values)).padStart(8)}${`${whole(Math.min(...values))} – ${whole(Math.max(...values))}`.padStart(17)}${String(clients).padStart(9)}`
const line = (name: string, value: string) => name.padEnd(78 - value.length) + value

export function printLives({ rounds, seconds, tpcbScale }: Options, figures: LivesFigures): void {
  const { lives, oneMerchant, p0, clients, p50, p99, cpu, others, lived } = figures
  const over = (values: readonly number[], under: readonly number[]) =>
    median(values.map((value, round) => value / (under[round] ?? Number.NaN))).toFixed(2)
  const micro = (name: keyof typeof cpu) => `${whole(cpu[name] * 1e6)} µs`
  console.log(
    [
      '',
      `Whole lives · ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), others used ${Math.round(100 * others)} % of them`,
      'created, the page’s form sent, the wallet asked and its yes written down with ledger and event, over loopback',
      `medians of ${rounds} interleaved rounds of ${seconds} s · ${whole(lived)} lives, no errors, each found whole`,
      '',
      `${'per second'.padEnd(44)}${'median'.padStart(8)}${'least – most'.padStart(17)}${'clients'.padStart(9)}`,
      rule,
      rate(`L   lives, ${merchants} merchants`, lives, clients.lives),
      rate('L1  the same, one merchant', oneMerchant, clients.lives),
      rate(`P0  pgbench, tpcb-like, scale ${tpcbScale}`, p0, clients.p0),
      rule,
      `L/P0 ${over(lives, p0)}     L1/L ${over(oneMerchant, lives)}     (medians of the rounds’ own ratios)`,
      '',
      line('a life takes, at that many clients', `p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`),
      '',
      'processor time for one',
      rule,
      line('gateway', micro('gateway')),
      line('PostgreSQL', micro('postgres')),
      line('shops and payers', micro('payers')),
      line('the wallet', micro('wallet')),
    ].join('\n'),
  )
}
