import { webBuilt } from '../../scripts/lib/web-build.ts'
import { defineDrill } from '../lib/define-drill.ts'
import { type Figure, printFigures } from '../lib/report.ts'
import { type HostileReport, hostileMerchant } from './hostile.ts'
import { type OverloadReport, overload } from './run.ts'

const LEAST_SHARE = 0.8

export const drill = defineDrill({
  describe: 'three times as many creates as the gateway can carry: goodput, answers, acknowledged payments',
  usage: `options: [--rounds 3] [--seconds 10] [--factor 3] [--connections 2000] [--proxy]
         --hostile [--seconds 60] [--forms 25] [--addresses 2] [--limits 1]

--hostile: forms flood one shop's links from few addresses, while payers of another shop pay`,
  options: {
    ...{ rounds: 3, seconds: 10, factor: 3, connections: 2000, proxy: false },
    ...{ hostile: false, forms: 25, addresses: 2, limits: 1 },
  },
  async run({ proxy, hostile, forms, addresses, limits, ...numbers }) {
    await webBuilt()
    if (hostile) {
      const report = await hostileMerchant({ seconds: numbers.seconds, forms, addresses, limits })
      printFigures(hostileFigures(report))
      return conclude(report.findings)
    }
    const report = await overload({ ...numbers, hasProxy: proxy })
    printFigures(figuresOf(report))
    conclude(report.findings)
    if (report.share < LEAST_SHARE) process.exitCode = 1
  },
})

function conclude(findings: readonly string[]): void {
  for (const finding of findings) console.log(`finding: ${finding}`)
  if (findings.length > 0) process.exitCode = 1
}

const hostileFigures = ({ payers, promptP95, completedP95, answers, counts }: HostileReport): Figure[] => [
  ['payers of the other shop', payers],
  ['prompt at the wallet within', `${Math.round(promptP95)} ms (p95)`],
  ['completed after the callback within', `${Math.round(completedP95)} ms (p95)`],
  ['answers to hostile forms', JSON.stringify(answers)],
  [
    'calls at the wallet',
    `${counts.charges} charges, ${counts.hostile} of them hostile, ${counts.lookups} look-ups`,
  ],
]

const percent = (part: number) => `${Math.round(part * 100)} %`

function figuresOf(report: OverloadReport): Figure[] {
  const { capacity, goodput, share, costAtCapacity, costUnderOverload, processors } = report
  const cost = [costAtCapacity, costUnderOverload].map((each) => `${Math.round(each)} µs`)
  return [
    ['capacity', `${Math.round(capacity)} creates a second`],
    ['goodput', `${Math.round(goodput)} creates a second, ${percent(share)} of the capacity`],
    [
      'processor of a create',
      `${cost.join(', under the load ')}: ${percent(costAtCapacity / costUnderOverload)} of the creates for the same time`,
    ],
    [
      'shares of the machine',
      Object.entries(processors)
        .map(([name, part]) => `${name} ${percent(part)}`)
        .join(', '),
    ],
    ['created within', `${Math.round(report.p50)} ms (p50), ${Math.round(report.p99)} ms (p99)`],
    ['other answers', JSON.stringify(report.refusals)],
    ...Object.entries(report.visits).map(([kind, answers]): Figure => [kind, JSON.stringify(answers)]),
    ['paid under the load', report.paid],
  ]
}
