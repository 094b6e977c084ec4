import type { Activity } from '@muripo/contract/activity'
import { AuditId, KeyId, type MerchantId, PersonId } from '@muripo/contract/ids'
import { type ActivityFilter, type ActivityRow, readActivity } from '../../../platform/audit/read-audit.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, parseId } from '../../../platform/ids.ts'
import { environmentsOf } from '../merchants/store-environments.ts'
import { fullnamesOf } from '../persons/store-persons.ts'

/** Actions in both environments of a merchant, the newest first, with the names of its persons. */
export async function activityOf(
  q: Queryable,
  merchantId: MerchantId,
  filter: ActivityFilter,
): Promise<Activity[]> {
  const rows = await readActivity(q, await environmentsOf(q, merchantId), filter)
  const names = await fullnamesOf(
    q,
    rows.flatMap(({ person_id }) => person_id ?? []),
  )
  return rows.map((row) => toActivity(row, names))
}

function toActivity(row: ActivityRow, names: ReadonlyMap<string, string>): Activity {
  const isOperator = row.actor_kind === 'operator'
  return {
    id: idFrom(AuditId, row.id),
    at: row.at.toISOString(),
    by: actorOf(row, names),
    action: row.action,
    subject: row.subject,
    // Of an operator's action only the reason is meant for the merchant.
    address: isOperator ? null : row.address,
    details: isOperator ? reasonIn(row.details) : row.details,
  }
}

function actorOf(
  { actor_kind: kind, credential, person_id: person }: ActivityRow,
  names: ReadonlyMap<string, string>,
): Activity['by'] {
  if (kind !== 'merchant') return { kind: kind as 'operator' | 'visitor' | 'system', name: null, id: null }
  if (credential !== null && parseId(KeyId, credential) !== null)
    return { kind: 'key', name: null, id: credential }
  return {
    kind: 'person',
    name: person && (names.get(person) ?? null),
    id: person && idFrom(PersonId, person),
  }
}

const reasonIn = ({ reason }: Record<string, unknown>): Record<string, unknown> =>
  reason === undefined ? {} : { reason }
