import type { OperatorId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { operators } from '../tables.ts'
import type { Operator } from './store-operators.ts'

/** The time of the day, in Harare, from which the email of the day is sent. */
const AT = sql`interval '7 hours'`
const startOfDay = sql`((date_trunc('day', (muripo_now() at time zone 'Africa/Harare') - ${AT}) + ${AT}) at time zone 'Africa/Harare')`

/** The last email; the first one follows on the day after the operator was added. */
const lastMail = sql<Date>`coalesce(mailed_at, created_at)`
const isDue = sql<boolean>`removed_at is null and ${lastMail} < ${startOfDay}`

export interface DueMail {
  readonly operator: Operator
  readonly lastAt: Date
}

/** The operators who have not had the email of the day. */
export async function dueDailyMails(q: Queryable, limit: number): Promise<DueMail[]> {
  const rows = await q
    .selectFrom('operators')
    .select(operators.names)
    .select(lastMail.as('last_at'))
    .where(isDue)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ operator: operators.read(row), lastAt: row.last_at }))
}

/** Takes the email of the day. True for one caller only. */
export async function takeDailyMail(tx: Tx, id: OperatorId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ mailed_at: sql<Date>`muripo_now()` })
    .where('id', '=', uuidOf(id))
    .where(isDue)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
