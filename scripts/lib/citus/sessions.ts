import pg from 'pg'
import { oneDatabase, type PerDatabase, perGroup } from '../../../apps/server/src/platform/db/databases.ts'
import { groupSettings, readShardGroups } from '../../../apps/server/src/platform/db/shard-groups.ts'

/** The bench's own sessions. On Citus, one for each node and for each shard group. */
export interface Sessions {
  /** Of the coordinator, where there is one. */
  readonly sql: pg.Client
  /** That of the coordinator is the first. */
  readonly nodes: readonly [pg.Client, ...pg.Client[]]
  readonly groups: PerDatabase<pg.Client>
  /** The version of Citus; null on one node. */
  readonly citus: string | null
  end(): Promise<void>
}

/** The only session of a database on one node. */
export const ofOneNode = (sql: pg.Client): Sessions => ({
  sql,
  nodes: [sql],
  groups: oneDatabase(sql),
  citus: null,
  end: () => sql.end(),
})

/** Citus hides the names of shards from catalogue queries. */
const SHARDS_VISIBLE = 'citus.override_table_visibility=off'

/** @param url of the coordinator */
export async function connectToNodes(url: string): Promise<Sessions> {
  const opened: pg.Client[] = []
  const open = async (address: string, settings: readonly string[] = []) => {
    const client = await connect(address, settings)
    opened.push(client)
    return client
  }
  const end = async () => void (await Promise.all(opened.map((client) => client.end())))
  try {
    const shards = perGroup(await readShardGroups(url))
    if (!shards) throw new Error('the database is not distributed')
    const sql = await open(url)
    const clients = new Map<string, pg.Client>()
    for (const group of shards.each)
      clients.set(group.schema, await open(group.url, [...groupSettings(group), SHARDS_VISIBLE]))
    const others = new Set(shards.each.map((group) => group.url))
    others.delete(url)
    const workers: pg.Client[] = []
    for (const other of others) workers.push(await open(other))
    const { rows } = await sql.query<{ version: string }>('select citus_version() as version')
    return {
      sql,
      nodes: [sql, ...workers],
      groups: shards.map(({ schema }) => clients.get(schema) as pg.Client),
      citus: rows[0]?.version.split(' on ')[0] ?? 'Citus',
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function connect(address: string, settings: readonly string[]): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'bench',
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The rows of a statement in each shard group, in the order of the groups. */
export async function inEachGroup<Row extends pg.QueryResultRow>(
  { groups }: Pick<Sessions, 'groups'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[][]> {
  return Promise.all(groups.each.map(async (client) => (await client.query<Row>(text, [...values])).rows))
}

/** The sum of each column of a statement's only row in each shard group. */
export async function sumOfGroups<Row extends Readonly<Record<string, number>>>(
  sessions: Pick<Sessions, 'groups'>,
  text: string,
): Promise<Row> {
  const rows = (await inEachGroup<Record<string, number>>(sessions, text)).flat()
  const sums: Record<string, number> = {}
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) sums[name] = (sums[name] ?? 0) + value
  return sums as Row
}
