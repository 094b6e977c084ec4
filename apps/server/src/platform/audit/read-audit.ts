import { AccountId, AuditId, type PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { firstUuidAt, idFrom, parseId, uuidOf } from '../ids.ts'
import { isForMerchant } from './audit.ts'

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

/**
 * The newest entries first; those of one merchant or of one object, when its id is given.
 * @param before the entry before which the list continues
 */
export async function readAudit(
  db: Queryable,
  about: string | null,
  limit: number,
  before: AuditId | null = null,
): Promise<LoggedAuditEntry[]> {
  const accountId = about === null ? null : parseId(AccountId, about)
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId && uuidOf(accountId)))
    .$if(about !== null && accountId === null, (query) => query.where('subject', '=', about))
    .$if(before !== null, (query) => query.where('id', '<', before && uuidOf(before)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
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
  /** The first word of the actions. */
  readonly group?: string | undefined
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
      and (${group ?? null}::text is null or split_part(action, '.', 1) = ${group ?? null})
    order by id desc limit ${limit}`.execute(q)
  return rows
}
