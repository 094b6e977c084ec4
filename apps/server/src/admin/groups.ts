import type { AccountId } from '@muripo/contract/ids'
import { createDatabase } from '../platform/db/database.ts'
import { onePool } from '../platform/db/pools.ts'
import { grouped, groupSettings, oneGroup, readShardGroups } from '../platform/db/shard-groups.ts'
import type { OperatorContext } from './command.ts'

type Ctx = OperatorContext['ctx']

/** The contexts of a command by shard group. Sessions of a group open at their first statement. */
export async function openGroupsOf(
  ctx: Ctx,
  databaseUrl: string,
): Promise<Pick<OperatorContext, 'ctxs'> & { close(): Promise<void> }> {
  const shards = grouped(await readShardGroups(databaseUrl))
  if (shards === null) return { ctxs: oneGroup(ctx), close: async () => undefined }
  const schemaOf = (accountId: AccountId) => shards.of(accountId).schema
  const ctxs = shards.map((group): Ctx => {
    const db = createDatabase(group.url, { maxConnections: 2, settings: groupSettings(group) })
    return { ...ctx, ...onePool(db), schemaOf }
  })
  return {
    ctxs,
    async close() {
      await Promise.all(ctxs.all.map(({ db }) => db.close()))
    },
  }
}
