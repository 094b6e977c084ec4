import { openDistributedDatabases } from '../lib/citus/distributed-databases.ts'
import { readOptions } from '../lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { comparePositions } from './distribute/compare-positions.ts'
import { runPayments } from './distribute/run.ts'

export const describe =
  'distributes the schema over the nodes of Citus, and lets customers of merchants on every node order, pay and ask for refunds (CITUS_URL)'

/** Needs the address of a coordinator with workers, as a superuser. The drill creates databases of its own on every node, and drops them. */
export async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args, { seconds: 10, customers: 1, seed: 1 })
  const address = process.env.CITUS_URL
  if (address === undefined) {
    console.log(
      'CITUS_URL is the address of a coordinator with workers, such as postgres://postgres@127.0.0.1:5541/muripo',
    )
    process.exitCode = 2
    return
  }
  await webBuilt()
  const databases = await openDistributedDatabases(address, 'muripo_distribute')
  const create = async (name: string) => {
    const { url, refusals } = await databases.create(`${name}_${process.pid}`)
    for (const refusal of refusals) console.log(`refused: ${refusal}`)
    if (refusals.length > 0) process.exitCode = 1
    return url
  }
  try {
    const problems = await comparePositions(await create('muripo_distribute_rows'))
    if (problems.length > 0) process.exitCode = 1
    for (const problem of problems) console.log(`problem: ${problem}`)
    const databaseUrl = await create('muripo_distribute')
    const report = await inDrillDirectory('distribute', (directory) =>
      runPayments(directory, { ...options, databaseUrl }),
    )
    printFigures(report.figures, 40)
    printFindings(report, 'The logs')
  } finally {
    await databases.drop()
  }
}
