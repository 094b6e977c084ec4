import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { databaseNowPlus } from '../../platform/db/database-time.ts'

/** How many attempts of the last `windowMs` a phone number has not answered, of all merchants; counted up to `most`. */
export async function countUnansweredPrompts(
  db: Queryable,
  msisdn: string,
  windowMs: number,
  most: number,
): Promise<number> {
  const [row] = await runPrepared(
    db,
    'unanswered-prompts',
    sql<{ count: number }>`
    select count(*)::int as count from (
      select from payment_attempts
      where msisdn = ${msisdn} and created_at > ${databaseNowPlus(-windowMs)}
        and (status in ('sending', 'pending', 'unknown') or failure_reason = 'expired')
      limit ${most}
    ) as unanswered`,
  )
  return row?.count ?? 0
}
