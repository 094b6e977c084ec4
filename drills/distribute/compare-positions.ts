import type pg from 'pg'
import { withClient } from '../../scripts/lib/postgres.ts'
import { type Position, positions } from '../../scripts/lib/schema/distribution.ts'
import { tryRows } from '../../scripts/lib/schema/try-rows.ts'

/** Prints how many tables are in their positions, and offers rows to the guards of the ledger; returns what is wrong. */
export const comparePositions = (coordinator: string): Promise<string[]> =>
  withClient(coordinator, async (client) => [...(await misplacedTables(client)), ...(await tryRows(client))])

async function misplacedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; position: Position }>(
    `select table_name::text as name, citus_table_type as position from citus_tables where citus_table_type in ('distributed', 'reference')`,
  )
  const found = new Map(rows.map((row) => [row.name, row.position]))
  const others = [...positions].filter(([table, position]) => (found.get(table) ?? 'local') !== position)
  for (const position of ['distributed', 'reference', 'local'] as const) {
    const listed = [...positions].filter(([, each]) => each === position)
    const right = listed.filter((entry) => !others.includes(entry))
    console.log(`${position.padEnd(12)} ${right.length} of ${listed.length} tables`)
  }
  return others.map(([table, position]) => `${table} is ${found.get(table) ?? 'local'} and not ${position}`)
}
