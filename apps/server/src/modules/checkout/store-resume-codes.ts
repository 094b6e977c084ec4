import { AccountId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { NamedPayment } from './linked-payments.ts'

/** Expired codes that one new code deletes. */
const MOST_DELETED = 100

/** Stores the first of the codes that no other payment has. A payment keeps its code until the code expires. */
export async function storeResumeCode(
  db: Queryable,
  { accountId, id }: NamedPayment,
  codes: readonly string[],
  lifeMs: number,
): Promise<void> {
  // On several nodes, Citus refuses one statement for both steps, and a time in the condition of the conflict.
  await sql`
    delete from resume_codes where code in (
      select code from resume_codes
      where expires_at <= ${databaseNow} and (account_id, payment_id) <> (${uuidOf(accountId)}, ${uuidOf(id)})
      order by expires_at limit ${MOST_DELETED} for update skip locked
    )`.execute(db)
  await sql`
    insert into resume_codes as kept (account_id, payment_id, code, expires_at)
    select ${uuidOf(accountId)}, ${uuidOf(id)}, new.code, ${databaseNow} + ${lifeMs}::float8 * interval '1 millisecond'
    from unnest(${codes}::text[]) as new (code)
    where not exists (select from resume_codes other where other.code = new.code)
    limit 1
    on conflict (account_id, payment_id) do update set code = excluded.code, expires_at = excluded.expires_at
      where excluded.expires_at - kept.expires_at >= ${lifeMs}::float8 * interval '1 millisecond'`.execute(db)
}

/** The code of a payment that has not expired. */
export async function findResumeCode(db: Queryable, { accountId, id }: NamedPayment): Promise<string | null> {
  const { rows } = await sql<{ code: string }>`
    select code from resume_codes
    where account_id = ${uuidOf(accountId)} and payment_id = ${uuidOf(id)} and expires_at > ${databaseNow}`.execute(
    db,
  )
  return rows[0]?.code ?? null
}

/** The payment of a code that has not expired. */
export async function findByResumeCode(db: Queryable, code: string): Promise<NamedPayment | null> {
  const { rows } = await sql<{ account_id: string; payment_id: string }>`
    select account_id, payment_id from resume_codes
    where code = ${code} and expires_at > ${databaseNow}`.execute(db)
  const [row] = rows
  return row ? { accountId: idFrom(AccountId, row.account_id), id: idFrom(PaymentId, row.payment_id) } : null
}
