import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './database.ts'

/** A table with rows of merchants, for the export of one merchant. */
export interface MerchantTable {
  readonly table: string
  /** The column that names the owner of a row. */
  readonly owner: string
  readonly ownedBy: 'merchant' | 'person' | 'environment' | 'document'
  /** The columns of the primary key, or those that follow the owner's. */
  readonly primaryKey: readonly string[]
  /** Columns with secrets, or with values that only the gateway uses. */
  readonly without?: readonly string[]
  /** The condition of the rows that are meant for their merchant; all without one. */
  readonly only?: RawBuilder<boolean>
}

const SLICE = 1000

/** The rows of one owner in the order of their primary key, each as JSON. */
export async function* merchantRows(
  db: Queryable,
  { table, owner, primaryKey, without = [], only = sql<boolean>`true` }: MerchantTable,
  ownerId: string,
): AsyncGenerator<string> {
  const key = sql.join(primaryKey.map((name) => sql.ref(name)))
  let after: readonly string[] | null = null
  do {
    const isAfter: ReturnType<typeof sql> =
      after === null ? sql`true` : sql`(${key}) > (${sql.join(after.map((each) => sql`${each}`))})`
    const result = await sql<{ json: string; position: string[] }>`
      select (to_jsonb(t) - ${[...without]}::text[])::text as json, array[${sql.join(primaryKey.map((name) => sql`${sql.ref(name)}::text`))}] as position
      from ${sql.table(table)} t where ${sql.ref(owner)} = ${ownerId} and ${isAfter} and ${only} order by ${key} limit ${SLICE}`.execute(
      db,
    )
    const rows: readonly { json: string; position: string[] }[] = result.rows
    for (const { json } of rows) yield json
    after = rows.length < SLICE ? null : (rows.at(-1)?.position ?? null)
  } while (after !== null)
}
