import { IncidentId } from '@muripo/contract/ids'
import type { Incident, IncidentStatus } from '@muripo/contract/site'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNowPlus } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

const RETENTION_MS = 14 * 24 * 60 * 60_000
const SHOWN_MAX = 20

export interface NewUpdate {
  readonly status: IncidentStatus
  readonly message: string
  readonly at: Date
}

export async function insertIncident(tx: Tx, id: IncidentId, title: string, first: NewUpdate): Promise<void> {
  await tx
    .insertInto('incidents')
    .values({ id: uuidOf(id), title, opened_at: first.at })
    .execute()
  await insertUpdate(tx, id, 1, first)
}

/** The number of updates of an open incident, which is locked; null when there is none. */
export async function lockOpenIncident(tx: Tx, id: IncidentId): Promise<number | null> {
  const open = await tx
    .selectFrom('incidents')
    .select('id')
    .where('id', '=', uuidOf(id))
    .where('resolved_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!open) return null
  const { count } = await tx
    .selectFrom('incident_updates')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('incident_id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertUpdate(
  tx: Tx,
  id: IncidentId,
  number: number,
  { status, message, at }: NewUpdate,
): Promise<void> {
  await tx
    .insertInto('incident_updates')
    .values({ incident_id: uuidOf(id), number, status, message, at })
    .execute()
  if (status === 'resolved')
    await tx.updateTable('incidents').set({ resolved_at: at }).where('id', '=', uuidOf(id)).execute()
}

/** The open incidents, then the recently resolved ones, each with its newest update first. */
export async function recentIncidents(db: Queryable): Promise<Incident[]> {
  const incidents = await db
    .selectFrom('incidents')
    .selectAll()
    .where((eb) =>
      eb.or([eb('resolved_at', 'is', null), eb('resolved_at', '>', databaseNowPlus(-RETENTION_MS))]),
    )
    .orderBy((eb) => eb('resolved_at', 'is not', null))
    .orderBy('opened_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  if (incidents.length === 0) return []
  const updates = await db
    .selectFrom('incident_updates')
    .selectAll()
    .where(
      'incident_id',
      'in',
      incidents.map(({ id }) => id),
    )
    .orderBy('number', 'desc')
    .execute()
  return incidents.map(({ id, title, opened_at, resolved_at }) => ({
    id: idFrom(IncidentId, id),
    title,
    openedAt: opened_at.toISOString(),
    resolvedAt: resolved_at?.toISOString() ?? null,
    updates: updates
      .filter(({ incident_id }) => incident_id === id)
      .map(({ status, message, at }) => ({
        status: status as IncidentStatus,
        message,
        at: at.toISOString(),
      })),
  }))
}
