import { parseArgs } from 'node:util'
import { openDistributedDatabases } from '../lib/citus/distributed-databases.ts'
import { buildWeb } from '../lib/web-build.ts'
import { comparePositions } from './distribute/compare-positions.ts'
import { runPayments } from './distribute/run.ts'

export const describe =
  'distributes the schema over the nodes of Citus, and lets customers of merchants on every node order, pay and ask for refunds (CITUS_URL)'

/** Needs the address of a coordinator with workers, as a superuser. It makes databases of its own on every node, and drops them. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '10' },
      customers: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  })
  const address = process.env.CITUS_URL
  if (address === undefined) {
    console.log(
      'CITUS_URL is the address of a coordinator with workers, such as postgres://postgres@127.0.0.1:5541/muripo',
    )
    process.exitCode = 2
    return
  }
  await buildWeb((line) => console.error(line)).done
  const log = (line: string) => console.error(`  ${line}`)
  const [ofRows, ofPayments] = [`muripo_distribute_rows_${process.pid}`, `muripo_distribute_${process.pid}`]
  const databases = await openDistributedDatabases(address, 'muripo_distribute')
  const database = async (name: string) => {
    const { url, refusals } = await databases.create(name)
    for (const refusal of refusals) console.log(`refused: ${refusal}`)
    if (refusals.length > 0) process.exitCode = 1
    return url
  }
  try {
    const problems = await comparePositions(await database(ofRows))
    const report = await runPayments(await database(ofPayments), {
      seconds: Number(values.seconds),
      customers: Number(values.customers),
      seed: Number(values.seed),
      log,
    })
    for (const [name, value] of report.figures) console.log(`${name.padEnd(40)}${value}`)
    for (const { kind, text } of report.findings.slice(0, 50)) console.log(`${kind}: ${text}`)
    for (const problem of [...problems, ...report.problems].slice(0, 50)) console.log(`problem: ${problem}`)
    const found = problems.length + report.problems.length + report.findings.length
    if (found > 0) process.exitCode = 1
    if (report.findings.length + report.problems.length > 0)
      console.log(`The logs are in ${report.directory}`)
  } finally {
    await databases.drop()
  }
}
