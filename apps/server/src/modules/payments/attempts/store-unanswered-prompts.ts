import { sql } from 'kysely'
import { batched } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { oneNow } from '../../../platform/db/database-time.ts'

interface Requested {
  readonly msisdn: string
  readonly windowMs: number
  readonly most: number
}

/** The number of attempts of the last `windowMs` that a phone number has not answered, over all merchants; counted up to `most`. */
export const countUnansweredPrompts = (db: Queryable, requested: Requested): Promise<number> =>
  countMany(db, requested)

const countMany = batched<Queryable, Requested, number>(async (db, requested) => {
  const rows = await runPrepared(
    db,
    'unanswered-prompts',
    sql<{ count: number }>`
    select unanswered.count
    from json_to_recordset(${JSON.stringify(requested.map((each, place) => ({ ...each, place })))}) as given
      (msisdn text, "windowMs" float8, most int, place int)
    cross join lateral (
      select count(*)::int as count from (
        select from payment_attempts a
        where a.msisdn = given.msisdn
          and a.created_at > ${sql.raw(oneNow)} - given."windowMs" * interval '1 millisecond'
          and (a.index_status = 'underway' or a.failure_reason = 'expired')
        limit given.most
      ) as open
    ) as unanswered
    order by given.place`,
  )
  return rows.map(({ count }) => count)
})
