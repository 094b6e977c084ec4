import { parseArgs } from 'node:util'
import { overload } from '../lib/overload/run.ts'
import { buildWeb } from '../lib/web-build.ts'

export const describe =
  'three times as many creates as the gateway can carry: goodput, answers, acknowledged payments'

const LEAST_SHARE = 0.8

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '20' },
      factor: { type: 'string', default: '3' },
      connections: { type: 'string', default: '2000' },
    },
  })
  await buildWeb((line) => console.error(line)).done
  const report = await overload({
    seconds: Number(values.seconds),
    factor: Number(values.factor),
    connections: Number(values.connections),
    log: (line) => console.error(`  ${line}`),
  })
  const { capacity, goodput, offered } = report
  const share = goodput / capacity
  const rows: [string, string][] = [
    ['capacity', `${Math.round(capacity)} creates a second`],
    ['offered', `${offered} creates a second`],
    ['goodput', `${Math.round(goodput)} creates a second, ${Math.round(share * 100)} % of the capacity`],
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
