import type { AccountId } from '@muripo/contract/ids'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { onePool } from '../platform/db/pools.ts'
import { grouped, groupSettings, readShardGroups, type ShardGroup } from '../platform/db/shard-groups.ts'
import type { OperatorContext } from './command.ts'

type Ctx = OperatorContext['ctx']

/** The contexts of a command by shard group. On one node all accounts have the command's own. */
export async function openGroupsOf(
  ctx: Ctx,
  databaseUrl: string,
): Promise<Pick<OperatorContext, 'ctxOf'> & { close(): Promise<void> }> {
  const shards = grouped(await readShardGroups(databaseUrl))
  if (shards === null) return { ctxOf: () => ctx, close: async () => undefined }
  const opened = new Map<ShardGroup, Database>()
  const databaseOf = (group: ShardGroup): Database => {
    const db =
      opened.get(group) ?? createDatabase(group.url, { maxConnections: 2, settings: groupSettings(group) })
    opened.set(group, db)
    return db
  }
  const schemaOf = (accountId: AccountId) => shards.of(accountId).schema
  return {
    ctxOf: (accountId) => ({ ...ctx, ...onePool(databaseOf(shards.of(accountId))), schemaOf }),
    async close() {
      await Promise.all([...opened.values()].map((db) => db.close()))
    },
  }
}
