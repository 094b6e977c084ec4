import type { OperatorRole } from '@muripo/contract/console-permissions'
import { OperatorId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { AppError } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { operators } from '../tables.ts'

export type Operator = EntityOf<typeof operators>

/** A company has fewer operators. */
const MOST = 500

/** All operators, those who were removed too, the longest known first. */
export async function allOperators(q: Queryable): Promise<Operator[]> {
  const rows = await q.selectFrom('operators').select(operators.names).orderBy('id').limit(MOST).execute()
  return rows.map(operators.read)
}

/** Some operators, those who were removed too. */
export async function operatorsWith(
  q: Queryable,
  ids: readonly OperatorId[],
): Promise<ReadonlyMap<OperatorId, Operator>> {
  const rows = await q
    .selectFrom('operators')
    .select(operators.names)
    .where(sql<boolean>`id = any(${ids.map(uuidOf)}::uuid[])`)
    .execute()
  return new Map(rows.map(operators.read).map((each) => [each.id, each]))
}

/** The operators who are not removed, with what tells whether they can sign in and when they did last. */
export async function operatorsSeen(
  q: Queryable,
): Promise<(Operator & { readonly hasPasskey: boolean; readonly lastSeenAt: Date | null })[]> {
  const rows = await q
    .selectFrom('operators')
    .select(operators.names)
    .select([
      sql<boolean>`exists (select from operator_passkeys where operator_id = operators.id)`.as('has_passkey'),
      sql<Date | null>`(select max(last_used_at) from operator_sessions where operator_id = operators.id)`.as(
        'last_seen_at',
      ),
    ])
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    ...operators.read(row),
    hasPasskey: row.has_passkey,
    lastSeenAt: row.last_seen_at,
  }))
}

/** The operator with an email, unless removed. */
export async function operatorByEmail(q: Queryable, email: string): Promise<Operator | null> {
  const row = await q
    .selectFrom('operators')
    .select(operators.names)
    .where(sql<boolean>`lower(email) = lower(${email}::text)`)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ? operators.read(row) : null
}

/** The number of operators who are not removed. */
export async function countOperators(q: Queryable): Promise<number> {
  const { count } = await q
    .selectFrom('operators')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether an operator besides this one is not removed and has one of the roles. */
export async function isAnotherOf(
  q: Queryable,
  roles: readonly OperatorRole[],
  except: OperatorId,
): Promise<boolean> {
  const row = await q
    .selectFrom('operators')
    .select('id')
    .where('role', 'in', [...roles])
    .where('id', '<>', uuidOf(except))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The operators who are not removed, which none of them is until the transaction ends. */
export async function lockPresent(tx: Tx, ids: readonly OperatorId[]): Promise<Operator[]> {
  const rows = await tx
    .selectFrom('operators')
    .select(operators.names)
    .where('id', 'in', ids.map(uuidOf))
    .where('removed_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map(operators.read)
}

/** Adds an operator, or an operator who was removed again. Null when somebody with the email is an operator. */
export async function upsertOperator(
  ctx: Ctx,
  tx: Tx,
  person: { readonly email: string; readonly name: string; readonly role: OperatorRole },
): Promise<Operator | null> {
  const row = await tx
    .insertInto('operators')
    .values(operators.row({ ...person, id: ctx.ids.next(OperatorId), createdAt: ctx.clock.now() }))
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .doUpdateSet({ name: person.name, role: person.role, removed_at: null })
        .where('operators.removed_at', 'is not', null),
    )
    .returning(operators.names)
    .executeTakeFirst()
  return row ? operators.read(row) : null
}

/** Removes an operator with passkeys, links, sessions and reveals. False when the operator is removed already. */
export async function markRemoved(tx: Tx, id: OperatorId, at: Date): Promise<boolean> {
  const operator = uuidOf(id)
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ removed_at: at })
    .where('id', '=', operator)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('operator_passkeys').where('operator_id', '=', operator).execute()
  await tx.deleteFrom('operator_challenges').where('operator_id', '=', operator).execute()
  await tx.deleteFrom('operator_reveals').where('operator_id', '=', operator).execute()
  for (const table of ['operator_enrolments', 'operator_sessions'] as const)
    await tx
      .updateTable(table)
      .set({ ended_at: at })
      .where('operator_id', '=', operator)
      .where('ended_at', 'is', null)
      .execute()
  return true
}

/** Changes the role. False when nobody with the id is an operator, or the role is the same. */
export async function updateRole(tx: Tx, id: OperatorId, role: OperatorRole): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ role })
    .where('id', '=', uuidOf(id))
    .where('removed_at', 'is', null)
    .where('role', '<>', role)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @throws AppError proposal_refused when fewer than two operators are left, also after what other transactions do at the same time */
export async function requireTwo(tx: Tx): Promise<void> {
  const rows = await tx
    .selectFrom('operators')
    .select('id')
    .where('removed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length < 2)
    throw new AppError('proposal_refused', {
      detail: 'Two operators must remain. The last but one is removed on the command line',
    })
}
