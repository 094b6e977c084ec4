import type { AuditGroup } from '@muripo/contract/audit-groups'
import type { ActivityGroup } from '@muripo/contract/enums'
import { AccountId, AuditId, type PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { firstUuidAt, idFrom, parseId, uuidOf } from '../ids.ts'
import { type Action, isForMerchant } from './audit.ts'

export interface LoggedAuditEntry {
  readonly id: AuditId
  readonly at: Date
  readonly actorKind: string
  readonly actor: string
  /** Null for an entry about no merchant. */
  readonly accountId: AccountId | null
  readonly action: string
  readonly subject: string
  readonly address: string | null
  readonly requestId: string | null
  readonly credential: string | null
  readonly details: object
}

export interface AuditFilter {
  /** The id of a merchant or of an object. */
  readonly about?: string | undefined
  /** The id of the object alone. */
  readonly subject?: string | undefined
  readonly action?: Action | undefined
  readonly group?: AuditGroup | undefined
  /** In milliseconds since 1970. */
  readonly from?: number | undefined
  readonly before?: number | undefined
}

/** An export of many payments is an action of payments. */
const isOfGroup = (group: AuditGroup) =>
  sql<boolean>`split_part(action, '.', 1) = any (${group === 'payment' ? ['payment', 'payments'] : [group]}::text[])`

/**
 * The newest entries first.
 * @param cursor the entry before which the list continues
 */
export async function readAudit(
  db: Queryable,
  { about, subject, action, group, from, before }: AuditFilter,
  limit: number,
  cursor?: AuditId,
): Promise<LoggedAuditEntry[]> {
  const accountId = about === undefined ? null : parseId(AccountId, about)
  const object = subject ?? (accountId === null ? about : undefined)
  let query = db.selectFrom('audit_log').selectAll()
  if (accountId !== null) query = query.where('account_id', '=', uuidOf(accountId))
  if (object !== undefined) query = query.where('subject', '=', object)
  if (action !== undefined) query = query.where('action', '=', action)
  if (group !== undefined) query = query.where(isOfGroup(group))
  // An id begins with its time, and the list is read by the index of ids.
  if (from !== undefined) query = query.where('id', '>=', firstUuidAt(from))
  if (before !== undefined) query = query.where('id', '<', firstUuidAt(before))
  if (cursor !== undefined) query = query.where('id', '<', uuidOf(cursor))
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: idFrom(AuditId, row.id),
    at: row.at,
    actorKind: row.actor_kind,
    actor: row.actor,
    accountId: row.account_id === null ? null : idFrom(AccountId, row.account_id),
    action: row.action,
    subject: row.subject,
    address: row.address,
    requestId: row.request_id,
    credential: row.credential,
    details: row.details as object,
  }))
}

/** Actions of operators that no second person decides. */
const actionsOfOne = [
  'provider.account_set',
  'provider.account_rotated',
  'operator.added',
  'operator.removed',
  'master_key.activated',
  'customer.exported',
  'customer.erased',
  'merchant.exported',
  'merchant.erased',
]

export interface CountedAction {
  readonly action: string
  readonly count: number
}

/** The actions that one operator took alone since a moment: with a mark of four eyes, or those that never need a second person. */
export async function actionsAlone(db: Queryable, since: Date): Promise<readonly CountedAction[]> {
  const { rows } = await sql<CountedAction>`
    select action, count(*)::int as count from audit_log
    where id >= ${firstUuidAt(since.getTime())} and actor_kind = 'operator' and not details ? 'proposal'
      and split_part(action, '.', 1) <> 'proposal'
      and (details ->> 'four_eyes' = 'immediate' or action = any (${actionsOfOne}::text[]))
    group by action order by action`.execute(db)
  return rows
}

export interface ActivityFilter {
  readonly limit: number
  readonly cursor?: AuditId | undefined
  readonly person?: PersonId | undefined
  readonly group?: ActivityGroup | undefined
  /** In milliseconds since 1970. */
  readonly from?: number | undefined
  readonly before?: number | undefined
}

export interface ActivityRow {
  readonly id: string
  readonly at: Date
  readonly actor_kind: string
  readonly credential: string | null
  readonly person_id: string | null
  readonly action: string
  readonly subject: string
  readonly address: string | null
  readonly details: Record<string, unknown>
}

/** The entries of some environments that are meant for their merchant, the newest first. */
export async function readActivity(
  q: Queryable,
  accountIds: readonly string[],
  { limit, cursor, person, group, from, before }: ActivityFilter,
): Promise<readonly ActivityRow[]> {
  const [olderThan, by] = [cursor ? uuidOf(cursor) : null, person ? uuidOf(person) : null]
  // An id begins with its time, and the list is read by the index of ids.
  const [first, end] = [from, before].map((ms) => (ms === undefined ? null : firstUuidAt(ms)))
  const { rows } = await sql<ActivityRow>`
    select id, at, actor_kind, credential, person_id, action, subject, address, details from audit_log
    where account_id = any (${accountIds}::uuid[])
      and (${first}::uuid is null or id >= ${first}) and (${end}::uuid is null or id < ${end})
      and (${olderThan}::uuid is null or id < ${olderThan}) and (${by}::uuid is null or person_id = ${by})
      and ${isForMerchant}
      and ${group === undefined ? sql`true` : isOfGroup(group)}
    order by id desc limit ${limit}`.execute(q)
  return rows
}
