import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingRole } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { createOnNodes, distribute, dropOnNodes } from '../../apps/server/test/citus.ts'
import { repository } from '../lib/repository.ts'
import { type Position, positions } from '../lib/schema/distribution.ts'
import { tryRows } from '../lib/schema/try-rows.ts'

export const describe =
  'distributes the schema over the nodes of Citus, compares the position of each table, and writes a payment (CITUS_URL)'

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
  const name = `muripo_distribute_${process.pid}`
  try {
    await distributeAndTry(await createOnNodes(address, name))
  } finally {
    await dropOnNodes(address, name)
  }
}

async function distributeAndTry(coordinator: string): Promise<void> {
  const client = new pg.Client({ connectionString: coordinator })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `do $$ begin create role ${servingRole}; exception when duplicate_object then null; end $$`,
    )
    await client.query(readFileSync(path.join(repository, 'apps/server/schema.sql'), 'utf8'))
    const refusals = await distribute(coordinator)
    const { rows } = await client.query<{ name: string; position: Position }>(
      `select table_name::text as name, citus_table_type as position from citus_tables where citus_table_type in ('distributed', 'reference')`,
    )
    print(new Map(rows.map((row) => [row.name, row.position])), refusals)
    const problems = await tryRows(client)
    if (problems.length === 0) console.log('a payment and its transfers are written, and their guards refuse')
    else process.exitCode = 1
    for (const problem of problems) console.log(`rows: ${problem}`)
  } finally {
    await client.end()
  }
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
  if (others.length + refusals.length > 0) process.exitCode = 1
}
