import { readOptions } from '../lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { runProcesses } from './processes/run.ts'

export const describe =
  'ten processes on one database: some stop, freeze or are killed, and each piece of background work is done once'

/** Two are stopped and two killed; each role must still have a process afterwards. */
const LEAST_PROCESSES = 8

export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args, { count: 10, seconds: 10, customers: 8, seed: 1 })
  if (options.count < LEAST_PROCESSES) throw new Error(`--count is ${LEAST_PROCESSES} or more`)
  await webBuilt()
  const report = await inDrillDirectory('processes', (directory) => runProcesses(directory, options))
  printFigures(report.figures, 40)
  console.log('\nprocess       calls  outcomes  deliveries')
  for (const { name, answers, outcomes, deliveries, end } of report.shares)
    console.log(
      `${name.padEnd(12)}${String(answers).padStart(7)}${String(outcomes).padStart(10)}${String(deliveries).padStart(12)}  ${end}`,
    )
  printFindings(report, 'The database and the logs')
}
