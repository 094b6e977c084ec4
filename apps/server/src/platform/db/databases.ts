import type { AccountId } from '@muripo/contract/ids'
import type { Ctx } from '../ctx.ts'
import { createDatabase, type Database } from './database.ts'
import { createPools, GROUP_POOL_SIZES, metricsPool, onePool, POOL_SIZES, type Pools } from './pools.ts'
import { accountHash, groupSettings, nodeSettings, readShardGroups, type ShardGroup } from './shard-groups.ts'

/** Something that a process has for each database with rows of accounts. All rows of an account are in one of them. */
export interface PerDatabase<Each> {
  readonly each: readonly [Each, ...Each[]]
  of(accountId: AccountId): Each
  /** @param hash of an account (`accountHash`) */
  ofHash(hash: number): Each
  map<Other>(make: (each: Each) => Other): PerDatabase<Other>
}

/** The sessions of one database. */
export interface Sessions {
  readonly url: string
  /** As `name=value`. */
  readonly settings: readonly string[]
  readonly poolSizes: typeof POOL_SIZES | typeof GROUP_POOL_SIZES
}

/** The databases of a process: that of its address, and those with the rows of accounts, which are the same on one node. */
export interface Databases {
  readonly sessions: PerDatabase<Sessions>
  /** The settings of sessions at the process's address. */
  readonly settings: readonly string[]
  /** The addresses of all nodes; the process's own is the first. */
  readonly nodeUrls: readonly [string, ...string[]]
  /** The part of what a process has for each database that is needed once for each node, apart from its own address. */
  onOtherNodes<Each>(all: PerDatabase<Each>): readonly Each[]
  /** The pools of each database. @param own the pools at the process's address */
  openPools(own: Pools): Promise<PerDatabase<Pools> & { close(): Promise<void> }>
  /** The same for a program whose work shares one pool, opened at its first statement. */
  openSinglePools(own: Pools): PerDatabase<Pools> & { close(): Promise<void> }
  /** The session of metrics of each database. @param own that at the process's address */
  metricsPools(own: Database): readonly Database[]
}

export const oneDatabase = <Each>(only: Each): PerDatabase<Each> => ({
  each: [only],
  of: () => only,
  ofHash: () => only,
  map: (make) => oneDatabase(make(only)),
})

function byHash<Each>(groups: readonly ShardGroup[], each: readonly [Each, ...Each[]]): PerDatabase<Each> {
  const ofHash = (hash: number): Each => {
    const found = each[groups.findIndex(({ high }) => hash <= high)]
    if (found === undefined) throw new Error(`no shard group has the hash ${hash}`)
    return found
  }
  return {
    each,
    of: (accountId) => ofHash(accountHash(accountId)),
    ofHash,
    map: (make) =>
      byHash(
        groups,
        each.map(make) as unknown as readonly [ReturnType<typeof make>, ...ReturnType<typeof make>[]],
      ),
  }
}

/** The shard groups of a distributed database; null on one node. */
export function perGroup(groups: readonly ShardGroup[]): PerDatabase<ShardGroup> | null {
  const [first, ...others] = groups
  return first === undefined ? null : byHash(groups, [first, ...others])
}

export const readDatabases = async (databaseUrl: string): Promise<Databases> =>
  databasesOf(databaseUrl, await readShardGroups(databaseUrl))

/** @param groups empty on one node */
export function databasesOf(databaseUrl: string, groups: readonly ShardGroup[]): Databases {
  const inGroups = perGroup(groups)
  return inGroups === null ? onOneNode(databaseUrl) : onNodes(databaseUrl, inGroups)
}

const onOneNode = (url: string): Databases => ({
  sessions: oneDatabase({ url, settings: [], poolSizes: POOL_SIZES }),
  settings: [],
  nodeUrls: [url],
  onOtherNodes: () => [],
  openPools: async (own) => ({ ...oneDatabase(own), close: async () => undefined }),
  openSinglePools: (own) => ({ ...oneDatabase(own), close: async () => undefined }),
  metricsPools: (own) => [own],
})

function onNodes(databaseUrl: string, groups: PerDatabase<ShardGroup>): Databases {
  const sessions = groups.map((group) => ({
    url: group.url,
    settings: groupSettings(group),
    poolSizes: GROUP_POOL_SIZES,
  }))
  const urls = sessions.each.map(({ url }) => url)
  return {
    sessions,
    settings: nodeSettings,
    nodeUrls: [databaseUrl, ...new Set(urls.filter((url) => url !== databaseUrl))],
    onOtherNodes: (all) => all.each.filter((_, index) => urls.indexOf(urls[index] ?? '') === index),
    async openPools(own) {
      const { queues } = own.db
      const pools = sessions.map(({ url, settings, poolSizes }) =>
        createPools(url, { settings, sizes: poolSizes, queues }),
      )
      const close = async () => void (await Promise.all(pools.each.map((each) => each.close())))
      for (const [index, { schema }] of groups.each.entries()) {
        if (await isInSchema(pools.each[index], schema)) continue
        await close()
        throw new Error(`The node of ${schema} has no such schema: scripts/distribute.sql makes it`)
      }
      for (const each of [own, ...pools.each]) noteGroups(each, groups)
      return { ...pools, close }
    },
    openSinglePools(own) {
      const pools = sessions.map(({ url, settings }) =>
        onePool(createDatabase(url, { maxConnections: 2, settings })),
      )
      for (const each of [own, ...pools.each]) noteGroups(each, groups)
      return { ...pools, close: async () => void (await Promise.all(pools.each.map(({ db }) => db.close()))) }
    },
    metricsPools: () => sessions.map(({ url, settings }) => metricsPool(url, settings)).each,
  }
}

/** PostgreSQL passes over a schema that is missing, and a session would use the tables of all nodes. */
async function isInSchema(pools: Pools | undefined, schema: string): Promise<boolean> {
  const { rows } = (await pools?.db.pool.query('select current_schema() as schema')) ?? { rows: [] }
  return rows[0]?.schema === schema
}

/** By the pool, which every copy of a database has. */
const groupsOf = new WeakMap<object, PerDatabase<ShardGroup>>()

/** Records that these sessions are of a distributed database. */
export function noteGroups(
  { db, background }: Pick<Pools, 'db' | 'background'>,
  groups: PerDatabase<ShardGroup>,
): void {
  for (const { pool } of [db, background]) groupsOf.set(pool, groups)
}

/** Whether the rows of two accounts are in one database, by the sessions of a process. */
export function areTogether({ pool }: Pick<Database, 'pool'>, one: AccountId, other: AccountId): boolean {
  const groups = groupsOf.get(pool)
  return groups === undefined || groups.of(one) === groups.of(other)
}

const coordinators = new WeakMap<object, Pools>()

/** For tests: records the coordinator's sessions of a context that has the sessions of a shard group. A copy of the context shares its files only. */
export function noteCoordinator(ctx: Pick<Ctx, 'db' | 'files'>, pools: Pools): void {
  coordinators.set(ctx.db, pools)
  coordinators.set(ctx.files, pools)
}

/** The context with the sessions of the coordinator, for merchants, sign-in and callbacks. On one node it is the same context. */
export function coordinatorOf<C extends Ctx>(ctx: C): C {
  const pools = coordinators.get(ctx.db) ?? coordinators.get(ctx.files)
  if (pools === undefined) return ctx
  const { db, reads, heavyReads, background } = pools
  return { ...ctx, db, reads, heavyReads, background }
}
