import { parseArgs } from 'node:util'
import { printFigures, printFindings } from '../lib/drill/report.ts'
import { buildWeb } from '../lib/web-build.ts'
import { embeddedKeeper } from './restore/embedded-keeper.ts'
import { missingForPgBackRest, pgBackRestKeeper } from './restore/pgbackrest-keeper.ts'
import { restoreDrill } from './restore/run.ts'

export const describe =
  'backs up under load, destroys the database, restores a moment, and compares all records (--with pgbackrest)'

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      with: { type: 'string', default: 'embedded' },
      seconds: { type: 'string', default: '20' },
      customers: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
    },
  })
  const isPgBackRest = values.with === 'pgbackrest'
  if (!isPgBackRest && values.with !== 'embedded') throw new Error('--with is embedded or pgbackrest')
  const missing = isPgBackRest ? missingForPgBackRest() : []
  if (missing.length > 0) {
    console.error(`The drill did not run. Missing: ${missing.join(', ')}.`)
    process.exitCode = 1
    return
  }
  await buildWeb((line) => console.error(line)).done
  const report = await restoreDrill({
    keeperIn: isPgBackRest ? pgBackRestKeeper : embeddedKeeper,
    seconds: Number(values.seconds),
    customers: Number(values.customers),
    seed: Number(values.seed),
    log: (line) => console.error(`  ${line}`),
  })
  printFigures(report, 46)
  printFindings(report, 'The restored data and the log')
}
