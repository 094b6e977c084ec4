import type { MerchantId } from '@muripo/contract/ids'
import { makeApplication } from '../src/modules/applications/factory.ts'
import { lookupOf } from '../src/modules/applications/key.ts'
import { findKeyOwner, type KeyOwner } from '../src/modules/applications/store-keys.ts'
import { makeMerchant } from '../src/modules/identity/factory.ts'
import { contextOn, type PaymentsCtx } from '../src/modules/payments/context.ts'
import { noteGroups, type PerDatabase, perGroup } from '../src/platform/db/databases.ts'
import { createPools, GROUP_POOL_SIZES } from '../src/platform/db/pools.ts'
import {
  groupSettings,
  nodeSettings,
  readShardGroups,
  type ShardGroup,
} from '../src/platform/db/shard-groups.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'
import { createJobsTable } from '../src/platform/jobs/jobs.ts'
import { ctxOn } from './test-ctx.ts'
import { testDatabaseInGroups } from './test-database.ts'
import { type World, worldOf } from './world.ts'

/** A world whose database Citus has distributed over its nodes. */
export interface GroupedWorld {
  readonly world: World
  readonly groups: PerDatabase<ShardGroup>
  readonly ctxs: PerDatabase<PaymentsCtx>
  /** A new application of a merchant, with its key. */
  makeOwner(merchantId: MerchantId, ctx?: PaymentsCtx): Promise<KeyOwner>
  /** A merchant in each of the first two groups that merchants are made in. */
  ownersOfTwoGroups(): Promise<[KeyOwner, KeyOwner]>
  close(): Promise<void>
}

export async function makeGroupedWorld(): Promise<GroupedWorld> {
  const world = worldOf(ctxOn(await testDatabaseInGroups(), nodeSettings))
  const groups = perGroup(await readShardGroups(world.ctx.databaseUrl))
  if (groups === null) throw new Error('the test database is not distributed')
  const pools = groups.map((group) => {
    const made = createPools(group.url, { settings: groupSettings(group), sizes: GROUP_POOL_SIZES })
    for (const pool of [made.db, made.reads, made.background]) simulateTime(pool, world.ctx.clock)
    return made
  })
  // A gateway creates the queue of jobs of each node when it starts.
  for (const { background } of pools.each) await createJobsTable(background)
  for (const each of [world.ctx, ...pools.each]) noteGroups(each, groups)
  const ctxs = pools.map((each) => contextOn(world.ctx, each))

  async function makeOwner(merchantId: MerchantId, ctx = ctxs.of(merchantId)): Promise<KeyOwner> {
    const { applicationKey } = await makeApplication(ctx, merchantId)
    const owner = await findKeyOwner(
      ctx.db.kysely,
      lookupOf(ctx.keys, applicationKey ?? ''),
      ctx.config.keyMode,
    )
    if (owner === null) throw new Error('a new key has its owner')
    return owner
  }

  return {
    world,
    groups,
    ctxs,
    makeOwner,
    async ownersOfTwoGroups() {
      const first = await makeOwner((await makeMerchant(world.ctx)).merchantId)
      for (;;) {
        const { merchantId } = await makeMerchant(world.ctx)
        if (ctxs.of(merchantId) !== ctxs.of(first.accountId)) return [first, await makeOwner(merchantId)]
      }
    },
    async close() {
      await Promise.all(pools.each.map((each) => each.close()))
      await world.ctx.close()
    },
  }
}
