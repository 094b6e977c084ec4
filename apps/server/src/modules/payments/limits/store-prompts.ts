import { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { batched } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { oneNow } from '../../../platform/db/database-time.ts'
import { idFrom } from '../../../platform/ids.ts'

/** A prompt that rang a phone, and that its payer has not followed by a payment. */
export interface Prompt {
  readonly accountId: AccountId
  readonly ageMs: number
  readonly isCancelled: boolean
}

interface Requested {
  readonly msisdn: string
  readonly windowMs: number
  readonly most: number
}

interface Row {
  readonly place: number
  readonly account_id: string
  readonly age_ms: number
  readonly is_cancelled: boolean
}

/**
 * The prompts to a phone number, over all merchants, the latest first. A prompt of a payment that the same number has paid since is left out,
 * and so is an attempt that no provider took.
 */
export const recentPrompts = (db: Queryable, requested: Requested): Promise<readonly Prompt[]> =>
  findMany(db, requested)

const findMany = batched<Queryable, Requested, readonly Prompt[]>(async (db, requested) => {
  const rows = await runPrepared(
    db,
    'recent-prompts',
    sql<Row>`
    select given.place, prompt.*
    from json_to_recordset(${JSON.stringify(requested.map((each, place) => ({ ...each, place })))}) as given
      (msisdn text, "windowMs" float8, most int, place int)
    cross join lateral (
      select a.account_id, (extract(epoch from ${sql.raw(oneNow)} - a.created_at) * 1000)::float8 as age_ms,
        coalesce(a.failure_reason = 'user_cancelled', false) as is_cancelled
      from payment_attempts a
      where a.msisdn = given.msisdn and (a.index_status = 'underway' or a.failure_reason is not null)
        and a.created_at > ${sql.raw(oneNow)} - given."windowMs" * interval '1 millisecond'
        and a.failure_reason is distinct from 'provider_unavailable'
        and not exists (
          select from payment_attempts paid
          where paid.account_id = a.account_id and paid.payment_id = a.payment_id and paid.index_status = 'completed'
            and paid.msisdn = a.msisdn)
      order by a.created_at desc
      limit given.most
    ) as prompt
    order by given.place, prompt.age_ms`,
  )
  const found = Map.groupBy(rows, ({ place }) => place)
  return requested.map((_, place) =>
    (found.get(place) ?? []).map((row) => ({
      accountId: idFrom(AccountId, row.account_id),
      ageMs: row.age_ms,
      isCancelled: row.is_cancelled,
    })),
  )
})
