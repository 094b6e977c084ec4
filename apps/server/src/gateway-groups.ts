import { balancesPosition } from './modules/ledger/index.ts'
import { inGroup, type PaymentsCtx } from './modules/payments/index.ts'
import { newestEventPosition } from './modules/webhooks/index.ts'
import { createPools, GROUP_POOL_SIZES, type Pools } from './platform/db/pools.ts'
import { continuePositions } from './platform/db/positions.ts'
import {
  type Grouped,
  groupSettings,
  isFirstOfNode,
  oneGroup,
  type ShardGroup,
} from './platform/db/shard-groups.ts'
import { migrateJobs } from './platform/jobs/jobs.ts'

/** The contexts of a process by shard group. On one node there is one group, whose context is that of the process. */
export interface GatewayGroups {
  readonly ctxs: Grouped<PaymentsCtx>
  /** The sessions' address and settings of each group; null on one node. */
  readonly shards: Grouped<ShardGroup> | null
  /** The addresses of all nodes; the coordinator is the first. */
  readonly nodeUrls: readonly [string, ...string[]]
  /** The context of one group on each node apart from the coordinator, where a queue of jobs is. */
  readonly onNodes: readonly PaymentsCtx[]
  close(): Promise<void>
}

export async function openGroups(
  ctx: PaymentsCtx,
  shards: Grouped<ShardGroup> | null,
  databaseUrl: string,
): Promise<GatewayGroups> {
  const pools = shards?.map((group) =>
    createPools(group.url, {
      settings: groupSettings(group),
      sizes: GROUP_POOL_SIZES,
      queues: ctx.db.queues,
    }),
  )
  const closePools = async () => void (await Promise.all((pools?.all ?? []).map((each) => each.close())))
  for (const [index, each] of (shards?.all ?? []).entries()) {
    if (await isInSchema(pools?.all[index], each)) continue
    await closePools()
    throw new Error(`The node of ${each.schema} has no such schema: scripts/distribute.sql makes it`)
  }
  const ctxs = pools?.map((each) => inGroup(ctx, each)) ?? oneGroup(ctx)
  const onNodes = shards ? ctxs.all.filter((_, index) => isFirstOfNode(shards, index)) : []
  for (const { background } of onNodes) await migrateJobs(background, ctx.log)
  for (const { db } of ctxs.all) {
    const stored = [await newestEventPosition(db.kysely), await balancesPosition(db.kysely)]
    await continuePositions(db.kysely, stored)
  }
  const others = new Set(shards?.all.map(({ url }) => url))
  others.delete(databaseUrl)
  return {
    ctxs,
    shards,
    nodeUrls: [databaseUrl, ...others],
    onNodes,
    close: closePools,
  }
}

/** PostgreSQL passes over a schema that is missing, and a session would use the tables of all nodes. */
async function isInSchema(pools: Pools | undefined, { schema }: ShardGroup): Promise<boolean> {
  const { rows } = (await pools?.db.pool.query('select current_schema() as schema')) ?? { rows: [] }
  return rows[0]?.schema === schema
}
