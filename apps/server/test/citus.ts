import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createDatabase } from '../src/platform/db/database.ts'
import { groupSettings, readShardGroups, type ShardGroup } from '../src/platform/db/shard-groups.ts'
import { createJobsTable } from '../src/platform/jobs/jobs.ts'
import { inDatabase } from './admin.ts'

/** Enough for rows on every node, and quickly made. */
const SHARDS = 4

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8')

/** Citus creates one distributed table in a transaction, and the whole file at once would be one transaction. */
function statementsOf(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('--')) continue
    statement += `${line}\n`
    const isInBody = statement.split('$$').length % 2 === 0
    if (isInBody || !line.endsWith(';')) continue
    statements.push(statement.trim())
    statement = ''
  }
  return statements
}

/** The addresses of a coordinator of Citus and of its workers. */
async function nodesOf(coordinator: string): Promise<string[]> {
  const rows = await query(
    coordinator,
    'select node_name as host, node_port::int as port from citus_get_active_worker_nodes()',
  )
  const workers = rows.map(({ host, port }) => {
    const url = new URL(coordinator)
    url.hostname = String(host)
    url.port = String(port)
    return url.href
  })
  return [coordinator, ...workers]
}

/**
 * Creates a database on every node of Citus, and connects them. Needs a superuser.
 * @param template a database of the coordinator without the extension
 * @returns the address of the database on the coordinator
 */
export async function createOnNodes(address: string, name: string, template = 'template1'): Promise<string> {
  const nodes = await nodesOf(address)
  for (const node of nodes)
    await query(node, `create database ${name} template ${node === address ? template : 'template1'}`)
  const [coordinator = '', ...workers] = nodes.map((node) => inDatabase(node, name))
  for (const node of [coordinator, ...workers]) await query(node, 'create extension citus')
  await query(coordinator, addNode('citus_set_coordinator_host', coordinator))
  for (const worker of workers) await query(coordinator, addNode('citus_add_node', worker))
  return coordinator
}

export async function dropOnNodes(address: string, name: string): Promise<void> {
  await onNodes(address, async (node) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await query(node, `drop database if exists ${name} with (force)`)
        return
      } catch (error) {
        // Citus starts processes of its own in the database until it is dropped.
        if ((error as { code?: string }).code !== '55006' || attempt === 10) throw error
      }
    }
  })
}

/** Closes a distributed database on every node, so that it can be copied: Citus has a process of its own in each open database. */
async function closeOnNodes(address: string, name: string): Promise<void> {
  await onNodes(address, async (node) => {
    await query(node, `alter database ${name} allow_connections false`)
    await query(
      node,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
    )
  })
}

/** Copies a closed database on every node. The catalogue of Citus contains no name of a database, so the copy is distributed like it. */
export async function copyOnNodes(address: string, name: string, template: string): Promise<void> {
  await onNodes(address, (node) => query(node, `create database ${name} template ${template}`))
}

async function onNodes(address: string, work: (node: string) => Promise<unknown>): Promise<void> {
  await Promise.all((await nodesOf(address)).map(work))
}

/**
 * Creates a closed template of test databases, distributed in one shard group, and the job queue of its node as a gateway creates it.
 * @returns the shard group
 */
export async function createTemplateOnNodes(
  address: string,
  name: string,
  migrated: string,
): Promise<ShardGroup> {
  const url = await createOnNodes(address, name, migrated)
  const refusals = await distribute(url, 1)
  const [group] = await readShardGroups(url)
  if (refusals.length > 0 || group === undefined) throw new Error(refusals.join('\n'))
  const db = createDatabase(group.url, { maxConnections: 1, settings: groupSettings(group) })
  await createJobsTable(db)
  await db.close()
  await closeOnNodes(address, name)
  return group
}

/** Runs `distribute.sql`; returns the statements that Citus refuses, with the reason. */
export async function distribute(coordinator: string, shards = SHARDS): Promise<string[]> {
  const client = await connect(coordinator)
  const refusals: string[] = []
  try {
    await client.query(`set citus.shard_count = ${shards}`)
    for (const statement of statementsOf(read('scripts/distribute.sql'))) {
      try {
        await client.query(statement)
      } catch (error) {
        refusals.push(`${statement}\n  ${reasonOf(error)}`)
      }
    }
    return refusals
  } finally {
    await client.end()
  }
}

function reasonOf(error: unknown): string {
  const { message, detail } = error as { message: string; detail?: string }
  return [message, detail]
    .filter((each) => each !== undefined)
    .join(': ')
    .replace(/\s+/g, ' ')
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
