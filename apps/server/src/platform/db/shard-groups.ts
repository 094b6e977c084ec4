import type { AccountId } from '@muripo/contract/ids'
import pg from 'pg'
import { uuidOf } from '../ids.ts'

/**
 * The shards with the rows of the same accounts, which are on one node of Citus. There, `create_shard_groups` has made a schema with a view
 * of each shard under the name of its table: every statement of a payment works in it as in a database of one node.
 */
export interface ShardGroup {
  readonly schema: string
  /** The address of the node. */
  readonly url: string
  /** The hashes of its accounts. */
  readonly low: number
  readonly high: number
}

/** Settings of the sessions of a shard group, as `name=value`. */
export const groupSettings = ({ schema }: ShardGroup): readonly string[] => [
  `search_path=${schema},public`,
  'citus.enable_manual_changes_to_shards=on',
  ...nodeSettings,
]

/**
 * A session creates objects, such as the tables of the job queue, on its own node only. Citus refuses a generic plan of some statements on
 * its tables.
 */
export const nodeSettings = ['citus.enable_ddl_propagation=off', 'plan_cache_mode=auto'] as const

/** Reads the shard groups from the catalogue of Citus; empty for a database on one node. */
export async function readShardGroups(databaseUrl: string): Promise<readonly ShardGroup[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows: found } = await client.query("select to_regclass('pg_catalog.pg_dist_shard') as catalogue")
    if (found[0]?.catalogue === null) return []
    const { rows } = await client.query(groupsQuery)
    return rows.map(({ schema, host, port, low, high }) => ({
      schema,
      low,
      high,
      url: onNode(databaseUrl, host, port),
    }))
  } finally {
    await client.end()
  }
}

const groupsQuery = `
  select 'shard_group_' || (row_number() over (order by shardminvalue::int) - 1) as schema, nodename as host, nodeport as port,
    shardminvalue::int as low, shardmaxvalue::int as high
  from pg_dist_shard join pg_dist_placement using (shardid)
  join pg_dist_node on pg_dist_node.groupid = pg_dist_placement.groupid and noderole = 'primary'
  where logicalrelid = to_regclass('public.payments') order by low`

function onNode(databaseUrl: string, host: string, port: number): string {
  const url = new URL(databaseUrl)
  url.hostname = host
  url.port = String(port)
  return url.href
}

/**
 * PostgreSQL's hash of an account id (`uuid_hash`), by which Citus chooses the shard of its rows. It is part of the format of hash
 * partitions, and therefore the same in every release.
 */
export function accountHash(accountId: AccountId): number {
  const bytes = Buffer.from(uuidOf(accountId).replaceAll('-', ''), 'hex')
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0
  const [a, b, c] = mix(
    (start + bytes.readInt32LE(0)) | 0,
    (start + bytes.readInt32LE(4)) | 0,
    (start + bytes.readInt32LE(8)) | 0,
  )
  return final((a + bytes.readInt32LE(12)) | 0, b, c)
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** The steps of Bob Jenkins' lookup3 hash, with 32-bit integers. */
function mix(a: number, b: number, c: number): [number, number, number] {
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = ((a - c) | 0) ^ rotate(c, first)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, second)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, third)
    b = (b + a) | 0
  }
  return [a, b, c]
}

function final(a: number, b: number, c: number): number {
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}
