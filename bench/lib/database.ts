import { openDistributedDatabases } from '../../scripts/lib/citus/distributed-databases.ts'
import { connectToNodes } from '../../scripts/lib/citus/sessions.ts'
import { postmasterOf } from './meter.ts'
import type { Cluster } from './options.ts'
import { tpcbDatabase } from './pgbench.ts'

/** A distributed database on the nodes of Citus, of this run only. */
export interface ClusterDatabase {
  readonly url: string
  /** Of all nodes; none when a node is on another machine. */
  readonly postmasterPids: readonly number[]
  drop(): Promise<void>
}

export async function createClusterDatabase({ url: address, shards }: Cluster): Promise<ClusterDatabase> {
  const database = `muripo_bench_${process.pid}`
  const databases = await openDistributedDatabases(address, 'muripo_bench')
  try {
    const { url, refusals } = await databases.create(database, shards)
    if (refusals.length > 0) throw new Error(`Citus refused ${refusals.join('\n')}`)
    const sessions = await connectToNodes(url)
    const found = await Promise.all(sessions.nodes.map(postmasterOf))
    await sessions.end()
    return {
      url,
      postmasterPids: found.every((pid) => pid !== undefined) ? found : [],
      drop: () => databases.drop(tpcbDatabase({ database })),
    }
  } catch (error) {
    await databases.drop()
    throw error
  }
}
