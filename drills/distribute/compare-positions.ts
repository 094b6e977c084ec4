import pg from 'pg'
import { type Position, positions } from '../../scripts/lib/schema/distribution.ts'
import { tryRows } from '../../scripts/lib/schema/try-rows.ts'

/** Prints how many tables are in their positions, and offers rows to the guards of the ledger; returns what is wrong. */
export async function comparePositions(coordinator: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: coordinator })
  client.on('error', () => undefined)
  await client.connect()
  try {
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
    return [
      ...others.map(([table, position]) => `${table} is ${found.get(table) ?? 'local'} and not ${position}`),
      ...(await tryRows(client)),
    ]
  } finally {
    await client.end()
  }
}
