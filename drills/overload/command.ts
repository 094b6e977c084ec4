import { webBuilt } from '../../scripts/lib/web-build.ts'
import { defineDrill } from '../lib/define-drill.ts'
import { type Figure, printFigures } from '../lib/report.ts'
import { type OverloadReport, overload } from './run.ts'

const LEAST_SHARE = 0.8

export const drill = defineDrill({
  describe: 'three times as many creates as the gateway can carry: goodput, answers, acknowledged payments',
  options: { rounds: 3, seconds: 10, factor: 3, connections: 2000, proxy: false },
  async run({ proxy, ...numbers }) {
    await webBuilt()
    const report = await overload({ ...numbers, hasProxy: proxy })
    printFigures(figuresOf(report))
    for (const finding of report.findings) console.log(`finding: ${finding}`)
    if (report.findings.length > 0 || report.share < LEAST_SHARE) process.exitCode = 1
  },
})

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
