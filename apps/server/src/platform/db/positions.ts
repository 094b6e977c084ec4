import { sql } from 'kysely'
import type { Queryable } from './database.ts'

/** More than the transactions of a server between the newest rows and its dump. */
const MARGIN = 1_000_000

/**
 * Raises the base of positions when stored ones are above those of the next transactions: the database is a dump of another server, whose
 * transaction ids were higher.
 * @param stored the highest positions that rows have, or were read up to
 */
export async function continuePositions(db: Queryable, stored: readonly bigint[]): Promise<void> {
  await sql`
    update transaction_position_base
    set base = base + newest + ${MARGIN} - transaction_horizon()
    from (select max(each) as newest from unnest(${stored}::bigint[]) as each) as stored
    where newest >= base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db)
}
