import { readOptions } from '../lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { upgrade } from './upgrade/run.ts'

export const describe =
  'an earlier and a later version serve one database side by side through an upgrade, and back (--from newest, present or COMMIT)'

export async function run(args: readonly string[]): Promise<void> {
  const { from, ...numbers } = readOptions(args, { from: 'newest', seconds: 8, customers: 6, seed: 1 })
  await webBuilt()
  const report = await inDrillDirectory('upgrade', (directory) =>
    upgrade(directory, {
      ...numbers,
      from: from === 'newest' || from === 'present' ? from : { commit: from },
    }),
  )
  printFigures(report.figures, 46)
  printFindings(report, 'The database and the logs')
}
