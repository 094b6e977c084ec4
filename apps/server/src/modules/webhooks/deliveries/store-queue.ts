import { AccountId, WebhookId } from '@muripo/contract/ids'
import type { DeliveryError, DeliveryStatus } from '@muripo/contract/webhook-enums'
import type { Database } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type EventRow, type StoredEvent, toEvent } from '../events/store-events.ts'
import { deliveryAttempts } from '../tables.ts'

/** The lease of a delivery, longer than any attempt. */
export const LEASE_MS = 60_000

/** A delivery that this process has leased until `lease`. */
export interface LeasedDelivery {
  readonly accountId: AccountId
  readonly endpointId: WebhookId
  readonly event: StoredEvent
  /** The number of attempts, and of those before the last resend by hand. */
  readonly attempts: number
  readonly attemptsBefore: number
  readonly lease: Date
  /** The time of the lease by the clock of this process. */
  readonly takenAt: Date
}

interface LeasedRow extends EventRow {
  readonly account_id: string
  readonly endpoint_id: string
  readonly attempts: number
  readonly attempts_before: number
  readonly lease: Date
}

const toLeased = (row: LeasedRow, takenAt: Date): LeasedDelivery => ({
  accountId: idFrom(AccountId, row.account_id),
  endpointId: idFrom(WebhookId, row.endpoint_id),
  event: toEvent(row),
  attempts: row.attempts,
  attemptsBefore: row.attempts_before,
  lease: row.lease,
  takenAt,
})

/** A subquery for the event of each row. The limit prevents a plan that reads all events of an application or type for each row. */
const eventOf = (row: string) => `lateral (
    select id, application_id, type, sequence, data::text as data, created_at from events
    where events.account_id = ${row}.account_id and events.id = ${row}.event_id limit 1
  ) as e`

/** The end of a lease that begins now, by the database's clock. */
const leaseEnd = (ms: string): string => `(muripo_now() + ${ms}::float8 * interval '1 millisecond')`

const relayStatement = `with taken as (
  delete from events_to_relay where seq = any (array(
    select seq from events_to_relay order by seq limit $1 for update skip locked))
  returning account_id, event_id
), found as materialized (
  select taken.account_id, e.id, e.application_id, e.type from taken cross join ${eventOf('taken')}
), created as (
  insert into webhook_deliveries (account_id, event_id, endpoint_id, next_attempt_at, created_at)
  select found.account_id, found.id, w.id, case when w.id = any ($2::uuid[]) then muripo_now() else ${leaseEnd('$3')} end, muripo_now()
  from found
  join webhook_endpoints w on w.account_id = found.account_id and w.application_id = found.application_id
    and w.deleted_at is null and w.status <> 'disabled' and found.type = any (w.events)
  on conflict do nothing
  returning account_id, event_id, endpoint_id, next_attempt_at
)
select counted.events, created.account_id, created.endpoint_id, created.next_attempt_at, 0 as attempts, 0 as attempts_before,
  ${leaseEnd('$3')} as lease, e.id, e.type, e.sequence, e.data, e.created_at
from (select count(*)::int as events from taken) as counted
left join created on true
left join ${eventOf('created')} on true`

export interface Relayed {
  readonly events: number
  readonly leased: readonly LeasedDelivery[]
  /** Endpoints with more due deliveries than were leased. */
  readonly waiting: ReadonlySet<WebhookId>
}

/**
 * Creates deliveries of the events in the outbox and leases them in the same statement, except for busy endpoints. Several processes share
 * the outbox.
 */
export async function relayEvents(
  db: Database,
  most: number,
  busy: readonly WebhookId[],
  takenAt: Date,
): Promise<Relayed> {
  const { rows } = await db.pool.query<LeasedRow & { events: number; next_attempt_at: Date | null }>({
    name: 'relay-events',
    text: relayStatement,
    values: [most, busy.map(uuidOf), LEASE_MS],
  })
  const created = rows.filter(({ next_attempt_at }) => next_attempt_at !== null)
  const [leased, left] = [true, false].map((isLeased) =>
    created.filter(
      ({ next_attempt_at, lease }) => (next_attempt_at?.getTime() === lease.getTime()) === isLeased,
    ),
  )
  return {
    events: rows[0]?.events ?? 0,
    leased: (leased ?? []).map((row) => toLeased(row, takenAt)),
    waiting: new Set((left ?? []).map((row) => idFrom(WebhookId, row.endpoint_id))),
  }
}

const takeStatement = `with due as (
  select d.account_id, d.event_id, d.endpoint_id
  from unnest($1::uuid[], $2::int[]) as queue (endpoint_id, room)
  cross join lateral (
    select account_id, event_id, endpoint_id from webhook_deliveries
    where endpoint_id = queue.endpoint_id and next_attempt_at <= muripo_now()
    order by next_attempt_at limit queue.room for update skip locked
  ) as d
), leased as (
  update webhook_deliveries d set next_attempt_at = ${leaseEnd('$3')} from due
  where d.account_id = due.account_id and d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
  returning d.account_id, d.event_id, d.endpoint_id, d.attempts, d.attempts_before, d.next_attempt_at as lease
)
select leased.lease, leased.account_id, leased.endpoint_id, leased.attempts, leased.attempts_before, e.id, e.type, e.sequence, e.data, e.created_at
from leased cross join ${eventOf('leased')}`

/** Leases the due deliveries of each endpoint, up to its capacity, so that an endpoint with many deliveries delays no other endpoint. */
export async function takeDue(
  db: Database,
  room: ReadonlyMap<WebhookId, number>,
  takenAt: Date,
): Promise<LeasedDelivery[]> {
  const { rows } = await db.pool.query<LeasedRow>({
    name: 'take-deliveries',
    text: takeStatement,
    values: [[...room.keys()].map(uuidOf), [...room.values()], LEASE_MS],
  })
  return rows.map((row) => toLeased(row, takenAt))
}

// A recursive query steps from one endpoint to the next through the index: each endpoint is one step, whatever the number of its due
// deliveries.
const dueEndpointsStatement = `with recursive queue as (
  (select endpoint_id from webhook_deliveries where next_attempt_at is not null order by endpoint_id limit 1)
  union all
  select (select endpoint_id from webhook_deliveries where next_attempt_at is not null and endpoint_id > queue.endpoint_id
    order by endpoint_id limit 1)
  from queue where queue.endpoint_id is not null
)
select endpoint_id from queue
where endpoint_id is not null
  and exists (select from webhook_deliveries d where d.endpoint_id = queue.endpoint_id and d.next_attempt_at <= muripo_now())`

export async function dueEndpoints(db: Database): Promise<WebhookId[]> {
  const { rows } = await db.pool.query<{ endpoint_id: string }>({
    name: 'due-endpoints',
    text: dueEndpointsStatement,
  })
  return rows.map(({ endpoint_id }) => idFrom(WebhookId, endpoint_id))
}

/** The record of a delivery attempt. */
export type Attempt = Omit<EntityOf<typeof deliveryAttempts>, 'number'>

export interface DeliveryOutcome {
  readonly leased: LeasedDelivery
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
  /** Null when nothing was sent. */
  readonly attempt: Attempt | null
  readonly error: DeliveryError | null
}

const named = deliveryAttempts.recordSet(['accountId', 'eventId', 'endpointId', 'number', 'error'])
const sent = deliveryAttempts.recordSet([
  'at',
  'durationMs',
  'requestHeaders',
  'responseStatus',
  'responseHeaders',
  'responseBody',
  'responseCut',
])
const names = `${named.text.names}, ${sent.text.names}`

// A process whose lease has expired finds another lease on the row, and changes nothing but the log. The comparison uses no index, because
// all deliveries that were leased at once have the same lease.
const recordStatement = `with given as materialized (
  select * from json_to_recordset($1::json) as given (lease timestamptz, status text, next_attempt_at timestamptz,
    ${named.text.definition}, ${sent.text.definition})
), logged as (
  insert into webhook_delivery_attempts (${names}) select ${names} from given where at is not null
  on conflict do nothing
)
update webhook_deliveries d
set status = given.status, next_attempt_at = given.next_attempt_at, response_status = given.response_status, error = given.error,
  attempts = case when given.at is null then d.attempts else d.attempts + 1 end, last_attempt_at = coalesce(given.at, d.last_attempt_at)
from given
where d.account_id = given.account_id and d.event_id = given.event_id and d.endpoint_id = given.endpoint_id
  and d.next_attempt_at is not distinct from given.lease`

export async function recordOutcomes(db: Database, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await db.pool.query({
    name: 'record-deliveries',
    text: recordStatement,
    values: [JSON.stringify(outcomes.map(rowOf))],
  })
}

const rowOf = ({ leased, status, nextAttemptAt, attempt, error }: DeliveryOutcome): object => ({
  lease: leased.lease,
  status,
  next_attempt_at: nextAttemptAt,
  ...named.row({ ...leased, eventId: leased.event.id, number: leased.attempts + 1, error }),
  ...(attempt && sent.row(attempt)),
})

/** Makes leased, unsent deliveries due immediately. */
export async function releaseLeases(db: Database, leased: readonly LeasedDelivery[]): Promise<void> {
  if (leased.length === 0) return
  await db.pool.query(
    `update webhook_deliveries d set next_attempt_at = muripo_now()
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as given (account_id, event_id, endpoint_id, lease)
     where d.account_id = given.account_id and d.event_id = given.event_id and d.endpoint_id = given.endpoint_id
       and d.next_attempt_at is not distinct from given.lease`,
    [
      leased.map(({ accountId }) => uuidOf(accountId)),
      leased.map(({ event: { id } }) => uuidOf(id)),
      leased.map(({ endpointId }) => uuidOf(endpointId)),
      leased.map(({ lease }) => lease),
    ],
  )
}
