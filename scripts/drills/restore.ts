import { readOptions } from '../lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { embeddedKeeper } from './restore/keeper.ts'
import { missingForPgBackRest, pgBackRestKeeper } from './restore/pgbackrest-keeper.ts'
import { restoreDrill } from './restore/run.ts'

export const describe =
  'backs up under load, destroys the database, restores a moment, and compares all records (--with pgbackrest)'

export async function run(args: readonly string[]): Promise<void> {
  const { with: tool, ...numbers } = readOptions(args, {
    with: 'embedded',
    seconds: 20,
    customers: 6,
    seed: 1,
  })
  const isPgBackRest = tool === 'pgbackrest'
  if (!isPgBackRest && tool !== 'embedded') throw new Error('--with is embedded or pgbackrest')
  const missing = isPgBackRest ? missingForPgBackRest() : []
  if (missing.length > 0) {
    console.error(`The drill did not run. Missing: ${missing.join(', ')}.`)
    process.exitCode = 1
    return
  }
  await webBuilt()
  const report = await inDrillDirectory('restore', async (directory) => {
    const keeper = await (isPgBackRest ? pgBackRestKeeper : embeddedKeeper)(directory)
    return restoreDrill(directory, keeper, numbers)
  })
  printFigures(report.figures, 46)
  printFindings(report, 'The restored data and the log')
}
