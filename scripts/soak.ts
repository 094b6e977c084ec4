import { parseArgs } from 'node:util'
import { printFindings } from './lib/drill/report.ts'
import { soak } from './lib/soak/run.ts'
import { buildWeb } from './lib/web-build.ts'

const usage = `npm run soak -- [--attempts N] [--seed N] [--concurrency N]

Starts attempts to pay over all providers through the real gateway and the simulator, which misbehaves as a seed decides:
lost, late, repeated and wrong answers, callbacks and amounts, charges that are paid after their failure, and too many
calls. Afterwards providers take some paid charges back, and payers pay some that were given up. At the end the ledger is
compared with the simulator's own records.

  --attempts N     how many (20000)
  --seed N         another run (1)
  --concurrency N  payers at the same time (48)`

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '48' },
    help: { type: 'boolean', default: false },
  },
})
const [attempts = 0, seed = 0, concurrency = 0] = [values.attempts, values.seed, values.concurrency].map(
  Number,
)
const isRight = [attempts, seed, concurrency].every((number) => Number.isInteger(number) && number > 0)
if (values.help || !isRight) {
  console.log(usage)
  process.exit(values.help ? 0 : 1)
}
await buildWeb((line) => console.error(line)).done
const report = await soak({ attempts, seed, concurrency, log: (line) => console.error(`  ${line}`) })
const found = (kind: string) => report.findings.filter((finding) => finding.kind === kind).length
const major = (minor: number) => (minor / 100).toFixed(2)
const rows: [string, string | number][] = [
  ['attempts', report.attempts],
  ...[...report.byProvider].map(([provider, number]): [string, number] => [`  ${provider}`, number]),
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
  ['lost', found('lost')],
  ['doubled', found('doubled')],
  ['wrong', found('wrong')],
  ['unresolved', found('unresolved')],
  [
    'duration',
    `${report.seconds.toFixed(0)} s, ${(report.attempts / report.seconds).toFixed(1)} attempts a second`,
  ],
]
for (const [name, value] of rows) console.log(`${name.padEnd(28)}${value}`)
printFindings(report, 'The database and its log')
process.exit()
