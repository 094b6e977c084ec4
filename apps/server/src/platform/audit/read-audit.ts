import { AccountId, AuditId } from '@muripo/contract/ids'
import type { Queryable } from '../db/database.ts'
import { idFrom, parseId, uuidOf } from '../ids.ts'

export interface LoggedAuditEntry {
  readonly id: AuditId
  readonly at: Date
  readonly actor: string
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
  return rows.map(
    ({ id, at, actor, action, subject, address, request_id: requestId, credential, details }) => ({
      id: idFrom(AuditId, id),
      at,
      actor,
      action,
      subject,
      address,
      requestId,
      credential,
      details: details as object,
    }),
  )
}
