import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingRole } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { repository } from '../lib/repository.ts'

export const describe =
  'tries which tables of the schema Citus distributes by tenant, and why it refuses the others (CITUS_URL)'

interface Table {
  readonly name: string
  /** Null for a table without a tenant's id. */
  readonly tenant: string | null
}

interface Trial {
  readonly distributed: readonly Table[]
  readonly refused: ReadonlyMap<Table, string>
}

/** Needs the address of a coordinator with workers, as a superuser. It makes a database of its own on every node, and drops it. */
export async function run(): Promise<void> {
  const address = process.env.CITUS_URL
  if (address === undefined) {
    console.log(
      'CITUS_URL is the address of a coordinator with workers, such as postgres://postgres@127.0.0.1:5541/muripo',
    )
    process.exitCode = 2
    return
  }
  const nodes = [address, ...(await workersOf(address))]
  for (const areTriggersAllowed of [false, true]) {
    const name = `muripo_distribute_${process.pid}`
    for (const node of nodes) await query(node, `create database ${name}`)
    const [coordinator = '', ...workers] = nodes.map((node) => databaseAt(node, name))
    try {
      for (const node of [coordinator, ...workers]) await query(node, 'create extension citus')
      await query(coordinator, addNode('citus_set_coordinator_host', coordinator))
      for (const worker of workers) await query(coordinator, addNode('citus_add_node', worker))
      print(areTriggersAllowed, await tryAll(coordinator, areTriggersAllowed))
    } finally {
      for (const node of nodes) await query(node, `drop database if exists ${name} with (force)`)
    }
  }
}

/** Tables are tried again as long as one more succeeds: a foreign key may lead to a table that is distributed later. */
async function tryAll(coordinator: string, areTriggersAllowed: boolean): Promise<Trial> {
  const client = await connect(coordinator)
  try {
    await client.query(
      `do $$ begin create role ${servingRole}; exception when duplicate_object then null; end $$`,
    )
    await client.query(readFileSync(path.join(repository, 'apps/server/schema.sql'), 'utf8'))
    await client.query(`set citus.enable_unsafe_triggers = ${areTriggersAllowed ? 'on' : 'off'}`)
    const tables = await readTables(client)
    const distributed: Table[] = []
    const refused = new Map<Table, string>()
    for (let before = -1; before < distributed.length; ) {
      before = distributed.length
      for (const table of tables.filter((each) => !distributed.includes(each))) {
        try {
          await client.query('select create_distributed_table($1, $2)', [table.name, table.tenant])
          distributed.push(table)
          refused.delete(table)
        } catch (error) {
          refused.set(table, reasonOf(error))
        }
      }
    }
    return { distributed, refused }
  } finally {
    await client.end()
  }
}

/** The tenant is the environment, or the merchant where a table has no environment. Their own tables have it as their id. */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, case
       when relname in ('environments', 'merchants') then 'id'
       else (select attname from pg_attribute where attrelid = c.oid and attname in ('account_id', 'merchant_id') order by attname limit 1)
     end as tenant
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  )
  return rows.filter(({ tenant }) => tenant !== null)
}

function reasonOf(error: unknown): string {
  const { message, detail } = error as { message: string; detail?: string }
  return [message, detail]
    .filter((each) => each !== undefined)
    .join(': ')
    .replace(/\s+/g, ' ')
}

function print(areTriggersAllowed: boolean, { distributed, refused }: Trial): void {
  const total = distributed.length + refused.size
  console.log(
    `\n${distributed.length} of ${total} tables with a tenant's id distribute, with triggers ${areTriggersAllowed ? 'allowed' : 'refused'} (citus.enable_unsafe_triggers)`,
  )
  console.log(distributed.map(({ name, tenant }) => `  ${name} (${tenant})`).join('\n'))
  for (const [reason, tables] of Map.groupBy(refused, ([, text]) => text))
    console.log(
      `refused: ${reason}\n${tables.map(([{ name, tenant }]) => `  ${name} (${tenant})`).join('\n')}`,
    )
}

async function workersOf(coordinator: string): Promise<string[]> {
  const rows = await query(
    coordinator,
    'select node_name as host, node_port::int as port from citus_get_active_worker_nodes()',
  )
  return rows.map(({ host, port }) => {
    const url = new URL(coordinator)
    url.hostname = String(host)
    url.port = String(port)
    return url.href
  })
}

function databaseAt(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

function addNode(call: string, address: string): string {
  const { hostname, port } = new URL(address)
  return `select ${call}('${hostname}', ${port})`
}

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function query(address: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connect(address)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
