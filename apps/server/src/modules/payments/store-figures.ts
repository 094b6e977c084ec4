import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/** Adds at most so many notes up into the totals; returns how many it took, none while another process is at it. */
export async function foldChanges(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_payment_changes(${most}::int) as folded`.execute(
    db,
  )
  return rows[0]?.folded ?? 0
}
