import { readFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { repository } from '../repository.ts'
import { positions, reachedFromGroups, tenantColumn } from './distribution.ts'

/** The file for operators, which contains the forms of triggers on several nodes and the functions of shard groups. */
export const distributionFile = 'scripts/distribute.sql'

/** The part of the file before the generated statements, the statements, and the rest. */
export const generatedPart =
  /^(.*\n-- Written by "npm run schema" [^\n]+\n)(.*)(\n-- End of what "npm run schema" has written\.\n.*)$/s

/** The file with the statements that put each table of the list in its position. The other tables stay on the coordinator. */
export async function printDistribution(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ table: string; target: string }>(referencesQuery)
  const placed = (position: string) =>
    inOrder(
      [...positions.keys()].filter((table) => positions.get(table) === position),
      rows,
    )
  const statements = [
    ...placed('reference').map((table) => `SELECT create_reference_table('${table}');`),
    ...placed('distributed').map(
      (table) => `SELECT create_distributed_table('${table}', '${tenantColumn}');`,
    ),
    ...reachedFromGroups.map(
      (table) => `SELECT citus_add_local_table_to_metadata('${table}', cascade_via_foreign_keys := true);`,
    ),
  ]
  const text = readFileSync(path.join(repository, distributionFile), 'utf8')
  return text.replace(
    generatedPart,
    (_, before, _earlier, after) => `${before}${statements.join('\n')}${after}`,
  )
}

const referencesQuery = `
select distinct conrelid::regclass::text as table, confrelid::regclass::text as target
from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`

/** Sorted by name, but each table comes after the tables that it refers to. */
function inOrder(
  tables: readonly string[],
  references: readonly { readonly table: string; readonly target: string }[],
): string[] {
  const ordered: string[] = []
  const place = (table: string): void => {
    if (ordered.includes(table)) return
    for (const { target } of references.filter((each) => each.table === table))
      if (tables.includes(target)) place(target)
    ordered.push(table)
  }
  for (const table of tables.toSorted()) place(table)
  return ordered
}
