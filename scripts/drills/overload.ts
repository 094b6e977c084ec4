import { parseArgs } from 'node:util'
import { buildWeb } from '../lib/web-build.ts'
import { overload } from './overload/run.ts'

export const describe =
  'three times as many creates as the gateway can carry: goodput, answers, acknowledged payments'

const LEAST_SHARE = 0.8

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '10' },
      factor: { type: 'string', default: '3' },
      connections: { type: 'string', default: '2000' },
      proxy: { type: 'boolean', default: false },
    },
  })
  await buildWeb((line) => console.error(line)).done
  const report = await overload({
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    factor: Number(values.factor),
    connections: Number(values.connections),
    hasProxy: values.proxy,
    log: (line) => console.error(`  ${line}`),
  })
  const { capacity, goodput, share, costAtCapacity, costUnderOverload, processors } = report
  const percent = (part: number) => `${Math.round(part * 100)} %`
  const cost = [costAtCapacity, costUnderOverload].map((each) => `${Math.round(each)} µs`)
  const rows: [string, string][] = [
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
    ...Object.entries(report.visits).map(([kind, answers]): [string, string] => [
      kind,
      JSON.stringify(answers),
    ]),
    ['paid under the load', `${report.paid}`],
  ]
  for (const [name, value] of rows) console.log(`${name.padEnd(24)}${value}`)
  for (const finding of report.findings) console.log(`finding: ${finding}`)
  if (report.findings.length > 0 || share < LEAST_SHARE) process.exitCode = 1
}
