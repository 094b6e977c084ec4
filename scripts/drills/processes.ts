import { parseArgs } from 'node:util'
import { printFigures, printFindings } from '../lib/drill/report.ts'
import { buildWeb } from '../lib/web-build.ts'
import { runProcesses } from './processes/run.ts'

export const describe =
  'ten processes on one database: some stop, freeze or are killed, and each piece of background work is done once'

/** After two are stopped and two killed, each role is still there. */
const LEAST_PROCESSES = 8

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '10' },
      customers: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
    },
  })
  if (!(Number(values.count) >= LEAST_PROCESSES)) throw new Error(`--count is ${LEAST_PROCESSES} or more`)
  await buildWeb((line) => console.error(line)).done
  const report = await runProcesses({
    count: Number(values.count),
    seconds: Number(values.seconds),
    customers: Number(values.customers),
    seed: Number(values.seed),
    log: (line) => console.error(`  ${line}`),
  })
  printFigures(report, 40)
  console.log('\nprocess       calls  outcomes  deliveries')
  for (const { name, answers, outcomes, deliveries, end } of report.shares)
    console.log(
      `${name.padEnd(12)}${String(answers).padStart(7)}${String(outcomes).padStart(10)}${String(deliveries).padStart(12)}  ${end}`,
    )
  printFindings(report, 'The database and the logs')
}
