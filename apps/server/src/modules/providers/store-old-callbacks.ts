import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { firstUuidAt } from '../../platform/ids.ts'

/** Deletes callbacks that were received and handled before a time, by their ids, which contain the time. Returns their number. */
export async function deleteCallbacks(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from provider_callbacks where id in (
      select id from provider_callbacks where id < ${firstUuidAt(before.getTime())} and processed_at < ${before}
      order by id limit ${most} for update skip locked)`.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}
