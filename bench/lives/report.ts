import { tpcbName } from '../creates/report.ts'
import { inBareRequests } from '../lib/http-only.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { line, machine, microseconds, rates, rule, whole } from '../lib/report-lines.ts'
import { median } from '../lib/statistics.ts'
import type { LivesFigures } from './measure.ts'
import type { WaitingRound } from './waiting-round.ts'

const rate = (name: string, values: readonly number[], clients: number) =>
  `${name.padEnd(44)}${rates(values, whole, 8)}${whole(clients).padStart(9)}`

export function printLives(figures: LivesFigures, options: Options): void {
  const { rounds, seconds, livesSeconds, faster } = options
  const { production, atOnce, oneMerchant, tpcb, bareRequest, clients } = figures
  const of = (read: (round: WaitingRound) => number) => median(production.map(read))
  const lives = production.map(({ perSecond }) => perSecond)
  const over = (values: readonly number[], under: readonly number[]) =>
    median(values.map((value, round) => value / (under[round] ?? Number.NaN))).toFixed(2)
  const cpuOf = (part: keyof WaitingRound['cpu']) => of(({ cpu }) => cpu[part])
  const micro = (part: keyof WaitingRound['cpu']) => inBareRequests(cpuOf(part), bareRequest)
  const both = cpuOf('gateway') + cpuOf('postgres')
  const ms = (value: number) => `${whole(value)} ms`
  const longest = Math.max(...production.map(({ late }) => late.longest))
  console.log(
    [
      '',
      `Whole lives · ${machine(of(({ others }) => others))}`,
      'created, the page’s form sent with the method and a new number, the wallet’s result read and written down, over loopback',
      figures.conditions,
      `medians of ${rounds} interleaved rounds of ${livesSeconds} s, of the others ${seconds} s · ${whole(figures.lived)} lives, no errors, each found whole`,
      `wallets call back after ${(10 / faster).toFixed(1)} to ${(30 / faster).toFixed(1)} s, 5 % refuse, 2 % are refunded, ${Math.round(100 * options.lost)} % of callbacks are lost`,
      '',
      `${'per second'.padEnd(44)}${'median'.padStart(8)}${'least – most'.padStart(17)}${'at once'.padStart(9)}`,
      rule,
      rate(`L   lives, ${whole(options.merchants)} merchants by Zipf`, lives, options.waiting),
      rate(`LF  ${fewMerchants} merchants, the wallet confirms at once`, atOnce, clients.lives),
      rate('L1  the same, one merchant', oneMerchant, clients.lives),
      rate(`P0  ${tpcbName(options)}`, tpcb, clients.tpcb),
      rule,
      `L/P0 ${over(lives, tpcb)}     LF/P0 ${over(atOnce, tpcb)}     L1/LF ${over(oneMerchant, atOnce)}     (medians of the rounds’ own ratios)`,
      '',
      'of L',
      rule,
      line(
        production.every(({ hasCommitTimes }) => hasCommitTimes)
          ? 'from the decision to the commit'
          : 'from the decision to the change',
        `p50 ${ms(of(({ delay }) => delay.p50))}   p95 ${ms(of(({ delay }) => delay.p95))}   p99 ${ms(of(({ delay }) => delay.p99))}`,
      ),
      line(
        'the most overdue look-up',
        `${of(({ late }) => late.median).toFixed(1)} s behind, ${longest.toFixed(1)} s at the most`,
      ),
      line('look-ups of one life', of(({ lookupsPerLife }) => lookupsPerLife).toFixed(1)),
      line('waiting for their wallet', `${whole(of(({ waiting }) => waiting))} payments`),
      line('WAL written for one life', `${whole(of(({ walBytesPerLife }) => walBytesPerLife))} bytes`),
      line('memory of the gateway', `${whole(of(({ memoryMb }) => memoryMb))} MB`),
      '',
      'processor time for one life of L',
      rule,
      line('gateway', micro('gateway')),
      line('PostgreSQL', micro('postgres')),
      line('gateway and PostgreSQL', inBareRequests(both, bareRequest)),
      line('shops and payers', micro('payers')),
      line('the wallet', micro('wallet')),
      line('one bare request, H', microseconds(bareRequest)),
      '',
      `a life of LF takes p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`,
    ].join('\n'),
  )
}
