import { readOptions } from '../lib/drill/options.ts'
import { type Figure, printFigures } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { overload } from './overload/run.ts'

export const describe =
  'three times as many creates as the gateway can carry: goodput, answers, acknowledged payments'

const LEAST_SHARE = 0.8

export async function run(args: readonly string[]): Promise<void> {
  const { proxy, ...numbers } = readOptions(args, {
    rounds: 3,
    seconds: 10,
    factor: 3,
    connections: 2000,
    proxy: false,
  })
  await webBuilt()
  const report = await overload({ ...numbers, hasProxy: proxy })
  const { capacity, goodput, share, costAtCapacity, costUnderOverload, processors } = report
  const percent = (part: number) => `${Math.round(part * 100)} %`
  const cost = [costAtCapacity, costUnderOverload].map((each) => `${Math.round(each)} µs`)
  const figures: Figure[] = [
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
  printFigures(figures, 24)
  for (const finding of report.findings) console.log(`finding: ${finding}`)
  if (report.findings.length > 0 || share < LEAST_SHARE) process.exitCode = 1
}
