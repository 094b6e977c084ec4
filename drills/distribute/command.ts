import { openDistributedDatabases } from '../../scripts/lib/citus/distributed-databases.ts'
import { defineDrill, refuse } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { comparePositions } from './compare-positions.ts'
import { runPayments } from './run.ts'

export const drill = defineDrill({
  describe:
    'distributes the schema over the nodes of Citus, and lets customers of merchants on every node order, pay and ask for refunds (CITUS_URL)',
  options: { seconds: 10, customers: 1, seed: 1 },
  /** Creates databases of its own on every node, and drops them. */
  async run(options) {
    const address =
      process.env.CITUS_URL ??
      refuse(
        'CITUS_URL is the address of a coordinator with workers, as a superuser, such as postgres://postgres@127.0.0.1:5541/muripo',
      )
    const databases = await openDistributedDatabases(address, 'muripo_distribute')
    const create = async (name: string) => {
      const { url, refusals } = await databases.create(`${name}_${process.pid}`)
      for (const refusal of refusals) console.log(`refused: ${refusal}`)
      if (refusals.length > 0) process.exitCode = 1
      return url
    }
    try {
      await runDrill('distribute', async (directory) => {
        const misplaced = await comparePositions(await create('muripo_distribute_rows'))
        const databaseUrl = await create('muripo_distribute')
        const report = await runPayments(directory, { ...options, databaseUrl })
        return { ...report, problems: [...misplaced, ...report.problems] }
      })
    } finally {
      await databases.drop()
    }
  },
})
