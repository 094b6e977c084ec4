import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingRole } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { repository } from '../lib/repository.ts'
import { type Position, positions } from '../lib/schema/distribution.ts'

export const describe =
  'distributes the schema over the nodes of Citus with distribute.sql, and compares the position of each table (CITUS_URL)'

/** Enough for rows on every node, and quickly made. */
const SHARDS = 4

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
  const name = `muripo_distribute_${process.pid}`
  for (const node of nodes) await query(node, `create database ${name}`)
  const [coordinator = '', ...workers] = nodes.map((node) => databaseAt(node, name))
  try {
    for (const node of [coordinator, ...workers]) await query(node, 'create extension citus')
    await query(coordinator, addNode('citus_set_coordinator_host', coordinator))
    for (const worker of workers) await query(coordinator, addNode('citus_add_node', worker))
    await distribute(coordinator)
  } finally {
    for (const node of nodes) await query(node, `drop database if exists ${name} with (force)`)
  }
}

async function distribute(coordinator: string): Promise<void> {
  const client = await connect(coordinator)
  try {
    await client.query(
      `do $$ begin create role ${servingRole}; exception when duplicate_object then null; end $$`,
    )
    await client.query(read('apps/server/schema.sql'))
    await client.query(`set citus.shard_count = ${SHARDS}`)
    const refusals: string[] = []
    for (const statement of statementsOf(read('scripts/distribute.sql'))) {
      try {
        await client.query(statement)
      } catch (error) {
        refusals.push(`${statement}\n  ${reasonOf(error)}`)
      }
    }
    const { rows } = await client.query<{ name: string; position: Position }>(
      `select table_name::text as name, citus_table_type as position from citus_tables where citus_table_type in ('distributed', 'reference')`,
    )
    print(new Map(rows.map((row) => [row.name, row.position])), refusals)
  } finally {
    await client.end()
  }
}

const read = (name: string): string => readFileSync(path.join(repository, name), 'utf8')

/** Citus creates one distributed table in a transaction, and the whole file at once would be one transaction. */
const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/^--.*\n/gm, '')
    .split(';\n')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

function reasonOf(error: unknown): string {
  const { message, detail } = error as { message: string; detail?: string }
  return [message, detail]
    .filter((each) => each !== undefined)
    .join(': ')
    .replace(/\s+/g, ' ')
}

function print(found: ReadonlyMap<string, Position>, refusals: readonly string[]): void {
  const others = [...positions].filter(([table, position]) => (found.get(table) ?? 'local') !== position)
  for (const position of ['distributed', 'reference', 'local'] as const) {
    const listed = [...positions].filter(([, each]) => each === position)
    const right = listed.filter((entry) => !others.includes(entry))
    console.log(`${position.padEnd(12)} ${right.length} of ${listed.length} tables`)
  }
  for (const refusal of refusals) console.log(`refused: ${refusal}`)
  for (const [table, position] of others)
    console.log(`${table} is ${found.get(table) ?? 'local'} and not ${position}`)
  if (others.length > 0) process.exitCode = 1
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
