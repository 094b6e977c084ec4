import type { Options } from '../lib/options.ts'
import { line, machine, oneDigit, percent, rates, rule } from '../lib/report-lines.ts'
import { median, percentile } from '../lib/statistics.ts'
import type { SignInFigures } from './measure.ts'

const milli = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`
const waits = (values: readonly number[]) =>
  `p50 ${percentile(values, 0.5).toFixed(1)} ms   p99 ${percentile(values, 0.99).toFixed(1)} ms`

export function printSignIns(figures: SignInFigures, { rounds, seconds }: Options): void {
  const { cost, atOnce, raw, signIns, beside, alone, cpu, shares, others } = figures
  const ratios = signIns.map((value, round) => value / (raw[round] ?? Number.NaN))
  const byTime = cpu.raw / (cpu.hashing + cpu.gateway + cpu.postgres + cpu.clients)
  console.log(
    [
      '',
      `Signing in · ${machine(others)}`,
      `${cost}, ${atOnce} at once · medians of ${rounds} interleaved rounds of ${seconds} s, no errors`,
      '',
      `${'per second'.padEnd(52)}${'median'.padStart(9)}${'least – most'.padStart(17)}`,
      rule,
      `${'raw argon2, nothing else'.padEnd(52)}${rates(raw, oneDigit, 9)}`,
      `${'sign-ins over HTTP, first step, mails included'.padEnd(52)}${rates(signIns, oneDigit, 9)}`,
      rule,
      line('sign-ins / raw, median of the rounds', median(ratios).toFixed(2)),
      '',
      `GET of another route, 20 a second (counted from when it was due)`,
      rule,
      line('while nobody signs in', waits(alone)),
      line('meanwhile', waits(beside)),
      '',
      'processor time for one (of a sign-in without what the calls of the other route take)',
      rule,
      line('raw argon2', milli(cpu.raw)),
      line('sign-in, argon2 in the gateway', milli(cpu.hashing)),
      line('sign-in, all else in the gateway', milli(cpu.gateway)),
      line('sign-in, PostgreSQL', milli(cpu.postgres)),
      line('sign-in, its client', milli(cpu.clients)),
      line('raw argon2 / these four (other work on the machine distorts it less)', byTime.toFixed(2)),
      '',
      'shares of the machine while there are sign-ins',
      rule,
      line('argon2 in the gateway', percent(shares.hashing)),
      line('all else in the gateway', percent(shares.gateway)),
      line('PostgreSQL', percent(shares.postgres)),
      line('clients, that of the other route included', percent(shares.clients)),
      line('others', percent(shares.others)),
    ].join('\n'),
  )
}
