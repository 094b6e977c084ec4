import { parseArgs } from 'node:util'
import { printFindings } from './lib/drill/report.ts'
import { crash } from './lib/drill/run.ts'
import { buildWeb } from './lib/web-build.ts'

const usage = `npm run crash -- [--kills N] [--seed N] [--only gateway|postgres] [--customers N]

Kills the gateway and its database with SIGKILL at random moments under load, and compares after each start, and at
the end, what clients were answered, what the database holds, what the wallet did and what was delivered.

  --kills N      how often (50)
  --seed N       another run; the same number gives the same moments
  --only WHICH   kill the gateway only, or PostgreSQL only
  --customers N  who orders at the same time (6)`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    customers: { type: 'string', default: '6' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { only } = values
const [kills = 0, seed = 0, customers = 0] = [values.kills, values.seed, values.customers].map(Number)
const isRight =
  [kills, seed, customers].every((number) => Number.isInteger(number) && number > 0) &&
  (only === undefined || only === 'gateway' || only === 'postgres')

if (values.help || !isRight) {
  console.log(usage)
  process.exit(values.help ? 0 : 1)
}
await buildWeb((line) => console.error(line)).done
const report = await crash({
  kills,
  seed,
  customers,
  only: only === 'gateway' || only === 'postgres' ? only : null,
  log: (line) => console.error(`  ${line}`),
})
const count = (kind: string) => report.findings.filter((finding) => finding.kind === kind).length
const rows: [string, string | number][] = [
  [
    'kills',
    `${report.kills.gateway} gateway, ${report.kills.postgres} PostgreSQL, ${report.kills.both} both`,
  ],
  ['acknowledged payments', report.orders],
  ['paid', report.paid],
  ['acknowledged refunds', report.refunds],
  ['cancelled', report.cancelled],
  ['events delivered', `${report.deliveries}, and ${report.deliveredAgain} times again under the same id`],
  ['lost', count('lost')],
  ['duplicated', count('duplicated')],
  ['half done', count('half done')],
  ['unresolved', count('unresolved')],
  ['longest until ready again', `${(report.longestToReadyMs / 1000).toFixed(1)} s`],
  ['starts that failed', report.failedStarts],
]
for (const [name, value] of rows) console.log(`${name.padEnd(28)}${value}`)
printFindings(report, 'The database and its log')
process.exit()
