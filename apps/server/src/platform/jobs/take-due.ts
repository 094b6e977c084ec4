import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../db/database.ts'

/** Rows of a table that are due for the same reason. Their times are compared with the database's clock. */
export interface DueRows {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: readonly string[]
  readonly isDue: RawBuilder<unknown>
  /** The rows that have been due for longest come first. */
  readonly dueAt: RawBuilder<unknown>
  /** The column whose values take turns, so that the rows of one merchant do not delay those of the others. */
  readonly turnsOf?: string
  /** The changes of a taken row, which make it due again when its process has died or failed. */
  readonly lease: (leaseMs: number) => RawBuilder<unknown>
  readonly returning: readonly string[]
}

/** Rows among which turns are taken. More of them delay the others. */
const MOST_IN_TURNS = sql.raw('2000')

/** The keys of due rows in turns: one of each value of the column `turnsOf`, then a second one. */
export const inTurns = (
  { table, key, isDue, dueAt, turnsOf = '' }: Omit<DueRows, 'lease' | 'returning'>,
  limit: unknown,
) => {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return sql`
    select ${columns} from (
      select ${columns}, due_at, row_number() over (partition by ${sql.ref(turnsOf)} order by due_at) as turn
      from (
        select ${columns}, ${dueAt} as due_at from ${sql.table(table)} where ${isDue}
        order by ${dueAt} limit ${MOST_IN_TURNS}) as oldest) as ranked
    order by turn, due_at limit ${limit}`
}

/**
 * Takes due rows, each for one process until the end of its lease. Rows that another process is taking are skipped. The rows are chosen once:
 * a subquery of the update would be repeated by some plans, and would take more than the limit.
 */
export async function takeDue<Row>(
  db: Queryable,
  { lease, returning, ...due }: DueRows,
  leaseMs: number,
  limit: number,
): Promise<Row[]> {
  if (limit <= 0) return []
  const { table, key, isDue, dueAt, turnsOf } = due
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const of = (name: string, names: readonly string[]) =>
    sql.join(names.map((column) => sql.ref(`${name}.${column}`)))
  const chosen =
    turnsOf === undefined
      ? sql`${isDue} order by ${dueAt} limit ${limit}`
      : sql`${isDue} and (${columns}) in (${inTurns(due, limit)})`
  const { rows } = await sql<Row>`
    with due as materialized (select ${columns} from ${sql.table(table)} where ${chosen} for update skip locked)
    update ${sql.table(table)} set ${lease(leaseMs)} from due where (${of(table, key)}) = (${of('due', key)})
    returning ${of(table, returning)}`.execute(db)
  return rows
}
