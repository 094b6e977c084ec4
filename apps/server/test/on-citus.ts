import type pg from 'pg'
import type { Ctx } from '../src/platform/ctx.ts'
import { violatedConstraint } from '../src/platform/db/failures.ts'
import { inDatabase } from './admin.ts'

/** With `CITUS_URL` the tests run on databases that Citus has distributed. */
export const isOnCitus = process.env.CITUS_URL !== undefined

/** The option of a test about something that a database on Citus does not have. */
export const skipOnCitus = (_reason: string): { readonly skip: boolean } => ({ skip: isOnCitus })

/** The address of a database for a gateway or a command of the administrator, where tests have that of its shard group. */
export function gatewayUrl(databaseUrl: string): string {
  const coordinator = process.env.CITUS_URL
  return coordinator && isGroupUrl(databaseUrl)
    ? inDatabase(coordinator, new URL(databaseUrl).pathname.slice(1))
    : databaseUrl
}

/** The address of a node with the settings of a group's sessions, so that each session that a test opens has them. */
export function groupUrl(node: string, settings: readonly string[]): string {
  const url = new URL(node)
  url.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '))
  return url.href
}

const isGroupUrl = (url: string): boolean =>
  new URL(url).searchParams.get('options')?.includes('shard_group_') === true

/** The table is on the coordinator only, or is a view in the group and the statement is for tables. */
const ofCoordinator = new Set(['42P01', '42809'])
const writesToAllNodes = /\b(insert into|update|delete from) (merchants|environments|documents)\b/i

/** The error with the names of the table and its constraint: those of a shard end in its number. */
function withNamesOfTable<E extends { code?: string; table?: string }>(error: E): E {
  const constraint = violatedConstraint(error)
  if (constraint !== null) Object.assign(error, { constraint })
  if (error.table) Object.assign(error, { table: error.table.replace(/_\d{6}$/, '') })
  return error
}

/** A test's own statement that the sessions of a group cannot execute is one for the coordinator. */
export function routeQueries(group: pg.Pool, coordinator: pg.Pool): void {
  const inGroup = group.query.bind(group) as (...given: unknown[]) => Promise<unknown>
  const onCoordinator = coordinator.query.bind(coordinator) as typeof inGroup
  group.query = (async (...given: unknown[]) => {
    const [text] = given
    if (typeof text === 'string' && writesToAllNodes.test(text)) return onCoordinator(...given)
    return inGroup(...given).catch((error: { code?: string }) => {
      if (ofCoordinator.has(error.code ?? '')) return onCoordinator(...given)
      throw withNamesOfTable(error)
    })
  }) as typeof group.query
}

/** Statements on a table as an object, which a group has as a view of its shard. */
const onTable = /^\s*(?:alter table|truncate(?: table)?) (?<table>\w+)\b/i

/** In the sessions of a group, a test alters and truncates the shards of tables. */
export function alterShards(group: pg.Pool): void {
  group.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const ofShard = async (text: string, table: string, ...others: unknown[]): Promise<unknown> => {
      const { rows } = (await query(
        `select shardid from pg_dist_shard where logicalrelid = to_regclass('public.${table}')`,
      )) as { rows: { shardid: string }[] }
      const [shard] = rows
      if (!shard) return query(text, ...others)
      const inShard = text
        .replace(table, `public.${table}_${shard.shardid}`)
        .replace(/(trigger )(?!user\b|all\b)(\w+)/i, `$1$2_${shard.shardid}`)
      return query(inShard, ...others)
    }
    client.query = ((...given: unknown[]) => {
      const [text, ...others] = given
      const sent = typeof text === 'string' ? text : (text as { text?: string }).text
      const table = onTable.exec(sent ?? '')?.groups?.table
      return table && sent ? ofShard(sent, table, ...others) : query(...given)
    }) as typeof client.query
  })
}

/** Alters a table that is written on all nodes: sessions of a gateway alter the node of their own only. */
export async function alterOnNodes({ db }: Pick<Ctx, 'db'>, statement: string): Promise<void> {
  const client = await db.pool.connect()
  try {
    if (isOnCitus) {
      await client.query('set citus.enable_ddl_propagation = on')
      await client.query('set citus.enable_unsafe_triggers = on')
    }
    await client.query(statement)
  } finally {
    client.release(true)
  }
}
