import { type AccountId, type EventId, WebhookId } from '@muripo/contract/ids'
import type { DeliveryError, DeliveryStatus } from '@muripo/contract/webhook-enums'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { pageById, type StoredEvent, toEvent } from '../events/store-events.ts'
import { deliveryAttempts } from '../tables.ts'
import { LEASE_MS } from './store-queue.ts'

export interface StoredDelivery {
  readonly event: StoredEvent
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly responseStatus: number | null
  readonly error: DeliveryError | null
  readonly createdAt: Date
  readonly lastAttemptAt: Date | null
  readonly nextAttemptAt: Date | null
}

export type StoredAttempt = EntityOf<typeof deliveryAttempts>

const select = (db: Queryable, accountId: AccountId, endpointId: WebhookId) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.account_id', '=', 'd.account_id').onRef('e.id', '=', 'd.event_id'),
    )
    .select(['e.id', 'e.type', 'e.sequence', sql<string>`e.data::text`.as('data'), 'e.created_at'])
    .select([
      'd.status',
      'd.attempts',
      'd.response_status',
      'd.error',
      'd.created_at as delivery_created_at',
      'd.last_attempt_at',
      'd.next_attempt_at',
    ])
    .where('d.account_id', '=', uuidOf(accountId))
    .where('d.endpoint_id', '=', uuidOf(endpointId))

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toDelivery = (row: Row): StoredDelivery => ({
  event: toEvent(row),
  status: row.status as DeliveryStatus,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error as DeliveryError | null,
  createdAt: row.delivery_created_at,
  lastAttemptAt: row.last_attempt_at,
  nextAttemptAt: row.next_attempt_at,
})

export async function pageOfDeliveries(
  db: Queryable,
  accountId: AccountId,
  endpointId: WebhookId,
  { status, ...page }: { limit: number; cursor?: EventId | undefined; status?: DeliveryStatus | undefined },
): Promise<StoredDelivery[]> {
  const all = select(db, accountId, endpointId)
  const rows = await pageById(status ? all.where('d.status', '=', status) : all, 'd.event_id', page)
  return rows.map(toDelivery)
}

export async function findDelivery(
  db: Queryable,
  accountId: AccountId,
  endpointId: WebhookId,
  eventId: EventId,
): Promise<StoredDelivery | null> {
  const row = await select(db, accountId, endpointId)
    .where('d.event_id', '=', uuidOf(eventId))
    .executeTakeFirst()
  return row ? toDelivery(row) : null
}

/** The latest attempts first. */
export async function attemptsOf(
  db: Queryable,
  accountId: AccountId,
  endpointId: WebhookId,
  eventId: EventId,
): Promise<StoredAttempt[]> {
  const rows = await db
    .selectFrom('webhook_delivery_attempts')
    .select(deliveryAttempts.names)
    .where('account_id', '=', uuidOf(accountId))
    .where('event_id', '=', uuidOf(eventId))
    .where('endpoint_id', '=', uuidOf(endpointId))
    .orderBy('number', 'desc')
    .execute()
  return rows.map(deliveryAttempts.read)
}

/** The endpoints of the deliveries of an event. */
export async function deliveredEndpoints(
  db: Queryable,
  accountId: AccountId,
  eventId: EventId,
): Promise<WebhookId[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('endpoint_id')
    .where('account_id', '=', uuidOf(accountId))
    .where('event_id', '=', uuidOf(eventId))
    .execute()
  return rows.map(({ endpoint_id }) => idFrom(WebhookId, endpoint_id))
}

/** Creates a delivery of an event, or restarts its schedule. A delivery that is due or in flight does not change. */
export async function sendNow(
  tx: Tx,
  accountId: AccountId,
  eventId: EventId,
  endpointId: WebhookId,
): Promise<void> {
  await tx
    .insertInto('webhook_deliveries')
    .values({
      account_id: uuidOf(accountId),
      event_id: uuidOf(eventId),
      endpoint_id: uuidOf(endpointId),
      next_attempt_at: databaseNow,
      created_at: databaseNow,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'event_id', 'endpoint_id'])
        .doUpdateSet((eb) => ({
          status: 'pending',
          next_attempt_at: databaseNow,
          attempts_before: eb.ref('webhook_deliveries.attempts'),
        }))
        .where((eb) =>
          eb.or([
            eb('webhook_deliveries.next_attempt_at', 'is', null),
            eb('webhook_deliveries.next_attempt_at', '>', databaseNowPlus(LEASE_MS)),
          ]),
        ),
    )
    .execute()
}
