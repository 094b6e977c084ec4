import { defineDrill } from '../lib/define-drill.ts'
import { countFindings, type Figure, runDrill } from '../lib/report.ts'
import { type SoakReport, soak } from './run.ts'

export const drill = defineDrill({
  describe: 'attempts at all providers, which misbehave; then the ledger is compared with their records',
  usage: `npm run soak -- [--attempts N] [--seed N] [--concurrency N]

Starts attempts to pay over all providers through the real gateway and the simulator, which misbehaves as a seed decides:
lost, late, repeated and wrong responses, callbacks and amounts, charges that are paid after their failure, and too many
calls. Afterwards providers take some paid charges back, and payers pay some that the gateway has given up. At the end
the ledger is compared with the simulator's own records.

  --attempts N     number of attempts (20000)
  --seed N         another run (1)
  --concurrency N  payers at the same time (48)`,
  options: { attempts: 20_000, seed: 1, concurrency: 48 },
  run: (options) =>
    runDrill('soak', async (directory) => {
      const report = await soak(directory, options)
      return { figures: figuresOf(report), findings: report.findings }
    }),
})

const major = (minor: number) => (minor / 100).toFixed(2)

const figuresOf = (report: SoakReport): Figure[] => [
  ['attempts', report.attempts],
  ...[...report.byProvider].map(([provider, number]): Figure => [`  ${provider}`, number]),
  ['payments', report.payments],
  ['captures', report.captures],
  ['voids', report.voids],
  ['refunds', report.refunds],
  ['ended', report.ended],
  ['truly unknown', report.unknown],
  ['duplicates, refunded', report.duplicates],
  ['paid after a give-up', report.paidLate],
  ['taken back by the providers', report.reversals],
  ['calls answered 429', report.deferredCalls],
  ['paid at the providers', major(report.paidMinor)],
  ['refunded by the providers', major(report.refundedMinor)],
  ['taken back, booked', major(report.takenBackMinor)],
  ...countFindings(report.findings, ['lost', 'doubled', 'wrong', 'unresolved']),
  [
    'duration',
    `${report.seconds.toFixed(0)} s, ${(report.attempts / report.seconds).toFixed(1)} attempts a second`,
  ],
]
