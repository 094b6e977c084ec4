import { REVEAL_MINUTES } from '@muripo/contract/console'
import type { OperatorId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { advisoryLocks } from '../../../platform/db/locks-and-channels.ts'
import { uuidOf } from '../../../platform/ids.ts'

/** Reveals a subject to one operator. Returns the end of the reveal. */
export async function insertReveal(
  tx: Tx,
  operatorId: OperatorId,
  subject: string,
  reason: string,
): Promise<Date> {
  const revealed = {
    reason,
    expires_at: sql<Date>`muripo_now() + ${REVEAL_MINUTES} * interval '1 minute'`,
  }
  const { expires_at } = await tx
    .insertInto('operator_reveals')
    .values({ operator_id: uuidOf(operatorId), subject, ...revealed })
    .onConflict((conflict) => conflict.columns(['operator_id', 'subject']).doUpdateSet(revealed))
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** The end of the reveal of a subject to this operator; null when it is masked. */
export async function revealedUntil(
  q: Queryable,
  operatorId: OperatorId,
  subject: string,
): Promise<Date | null> {
  const row = await q
    .selectFrom('operator_reveals')
    .select('expires_at')
    .where('operator_id', '=', uuidOf(operatorId))
    .where('subject', '=', subject)
    .where('expires_at', '>', sql<Date>`muripo_now()`)
    .executeTakeFirst()
  return row?.expires_at ?? null
}

/** The subjects, or those of some, that are revealed to this operator, each with the end of its reveal. */
export async function revealedTo(
  q: Queryable,
  operatorId: OperatorId,
  subjects: readonly string[] | null,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await q
    .selectFrom('operator_reveals')
    .select(['subject', 'expires_at'])
    .where('operator_id', '=', uuidOf(operatorId))
    .where(sql<boolean>`(${subjects}::text[] is null or subject = any(${subjects}::text[]))`)
    .where('expires_at', '>', sql<Date>`muripo_now()`)
    .execute()
  return new Map(rows.map((row) => [row.subject, row.expires_at]))
}

/** The first of these subjects that is revealed to another operator. Until the transaction ends no other one asks. */
export async function heldByAnother(
  tx: Tx,
  operatorId: OperatorId,
  subjects: readonly string[],
): Promise<{ readonly subject: string; readonly email: string; readonly until: Date } | null> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.manualRefunds}::bigint)`.execute(tx)
  const row = await tx
    .selectFrom('operator_reveals as r')
    .innerJoin('operators as o', 'o.id', 'r.operator_id')
    .select(['r.subject', 'r.expires_at', 'o.email'])
    .where('r.subject', 'in', [...subjects])
    .where('r.operator_id', '<>', uuidOf(operatorId))
    .where('r.expires_at', '>', sql<Date>`muripo_now()`)
    .orderBy('r.subject')
    .executeTakeFirst()
  return row ? { subject: row.subject, email: row.email, until: row.expires_at } : null
}
