import { AccountId } from '@muripo/contract/ids'
import type { Queryable } from '../db/database.ts'
import { parseId, uuidOf } from '../ids.ts'

export interface LoggedAuditEntry {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly address: string | null
  readonly requestId: string | null
  readonly credential: string | null
  readonly details: object
}

/** The newest entries first; those of one merchant or of one object, when its id is given. */
export async function readAudit(
  db: Queryable,
  about: string | null,
  limit: number,
): Promise<LoggedAuditEntry[]> {
  const accountId = about === null ? null : parseId(AccountId, about)
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId && uuidOf(accountId)))
    .$if(about !== null && accountId === null, (query) => query.where('subject', '=', about))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at, actor, action, subject, address, request_id: requestId, credential, details }) => ({
    at,
    actor,
    action,
    subject,
    address,
    requestId,
    credential,
    details: details as object,
  }))
}
