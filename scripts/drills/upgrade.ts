import { parseArgs } from 'node:util'
import { upgrade } from '../lib/upgrade/run.ts'
import { buildWeb } from '../lib/web-build.ts'

export const describe =
  'an earlier and a later version serve one database side by side through an upgrade, and back (--from newest, present or COMMIT)'

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string', default: 'newest' },
      seconds: { type: 'string', default: '8' },
      customers: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
    },
  })
  await buildWeb((line) => console.error(line)).done
  const report = await upgrade({
    from: values.from === 'newest' || values.from === 'present' ? values.from : { commit: values.from },
    seconds: Number(values.seconds),
    customers: Number(values.customers),
    seed: Number(values.seed),
    log: (line) => console.error(`  ${line}`),
  })
  for (const [name, value] of report.figures) console.log(`${name.padEnd(46)}${value}`)
  for (const { kind, text } of report.findings.slice(0, 50)) console.log(`${kind}: ${text}`)
  for (const problem of report.problems.slice(0, 50)) console.log(`problem: ${problem}`)
  if (report.findings.length + report.problems.length > 0) {
    console.log(`The database and the logs are in ${report.directory}`)
    process.exitCode = 1
  }
}
