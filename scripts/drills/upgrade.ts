import { parseArgs } from 'node:util'
import { printFigures, printFindings } from '../lib/drill/report.ts'
import { buildWeb } from '../lib/web-build.ts'
import { upgrade } from './upgrade/run.ts'

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
  printFigures(report, 46)
  printFindings(report, 'The database and the logs')
}
