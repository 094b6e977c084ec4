import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'

/**
 * Notes one more message of this sender, unless so many were noted since then: one statement, so that messages that come together
 * count one by one. Null when it was noted, else the time of the oldest that counts.
 */
export async function noteMessage(
  tx: Tx,
  sender: Buffer,
  now: Date,
  limit: { since: Date; messages: number },
): Promise<Date | null> {
  const noted = await sql`
    insert into contact_senders as sender (address_hash, sent_at, last_sent_at)
    values (${sender}, array[${now}::timestamptz], ${now})
    on conflict (address_hash) do update
    set sent_at = array(select at from unnest(sender.sent_at) as at where at > ${limit.since} order by at)
          || ${now}::timestamptz,
        last_sent_at = ${now}
    where (select count(*) from unnest(sender.sent_at) as at where at > ${limit.since}) < ${limit.messages}
    returning true`.execute(tx)
  if (noted.rows.length > 0) return null
  const oldest = await sql<{ at: Date }>`
    select min(at) as at from contact_senders, unnest(sent_at) as at
    where address_hash = ${sender} and at > ${limit.since}`.execute(tx)
  return oldest.rows[0]?.at ?? now
}

/** Whoever has not written since then is forgotten. */
export async function forgetSenders(q: Queryable, before: Date): Promise<void> {
  await sql`
    delete from contact_senders where address_hash in (
      select address_hash from contact_senders where last_sent_at <= ${before} limit 100 for update skip locked
    )`.execute(q)
}
