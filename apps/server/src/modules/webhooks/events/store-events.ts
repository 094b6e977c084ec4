import { type AccountId, type ApplicationId, EventId, type Id, type WebhookId } from '@muripo/contract/ids'
import type { EventType, TEST_EVENT } from '@muripo/contract/webhook-enums'
import type { EventQuery } from '@muripo/contract/webhooks'
import { type SelectQueryBuilder, type StringReference, sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { events } from '../tables.ts'

/** An event as it is stored; `data` is JSON text, so that each delivery has the same bytes. */
export type StoredEvent = EntityOf<typeof events> & { readonly data: string }

export type EventRow = Readonly<Record<string, unknown>> & { readonly data: string }

export const toEvent = (row: EventRow): StoredEvent => ({ ...events.read(row), data: row.data })

/** The body of a delivery: identical bytes in each attempt, because the data is stored as text. */
export function bodyOf({ id, type, createdAt, sequence, data }: StoredEvent): string {
  const head = JSON.stringify({ id, type, created_at: createdAt.toISOString(), sequence })
  return `${head.slice(0, -1)},"data":${data}}`
}

export interface NewEvent {
  readonly type: EventType | typeof TEST_EVENT
  readonly applicationId: ApplicationId
  readonly subject: Id<string>
  /** The subject's own count of its events, by which an endpoint can order them. */
  readonly sequence: number
  readonly data: unknown
}

export type WrittenEvent = NewEvent & {
  readonly accountId: AccountId
  readonly id: EventId
  readonly createdAt: Date
}

const inserted = events.recordSet([
  'accountId',
  'id',
  'applicationId',
  'type',
  'subject',
  'sequence',
  'data',
  'createdAt',
])
const { names } = inserted.text

/** The columns of `eventRow`, as json_to_recordset reads them. */
export const eventDefinition = inserted.text.definition

export const eventRow = (event: WrittenEvent): object => inserted.row(event)

/** The parts of a WITH clause that insert the events of a relation, with one position, and their rows in the outbox. */
export const insertEventsFrom = (given: string): string => `recorded_events as (
    insert into events (${names}, position) select ${names}, (select transaction_position()) from ${given} returning account_id, id
  ), outbox as (
    insert into events_to_relay (account_id, event_id) select account_id, id from recorded_events
  )`

export const newEvent = (
  ctx: Pick<Ctx, 'clock' | 'ids'>,
  accountId: AccountId,
  event: NewEvent,
): WrittenEvent => ({ ...event, accountId, id: ctx.ids.next(EventId), createdAt: ctx.clock.now() })

/** Inserts an event in the transaction of its change: neither is committed without the other. */
export async function recordEvent(ctx: Ctx, tx: Tx, accountId: AccountId, event: NewEvent): Promise<EventId> {
  const written = newEvent(ctx, accountId, event)
  const insert = sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify([eventRow(written)])}) as given (${sql.raw(eventDefinition)})
    ), ${sql.raw(insertEventsFrom('given'))}
    select`
  await runPrepared(tx, 'insert-events', insert)
  return written.id
}

const select = (db: Queryable, accountId: AccountId, applicationId: ApplicationId) =>
  db
    .selectFrom('events')
    .select(events.names)
    .select(sql<string>`data::text`.as('data'))
    .where('account_id', '=', uuidOf(accountId))
    .where('application_id', '=', uuidOf(applicationId))

export interface EventOwner {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
}

/** The newest id first, one row more than the page when there are more. */
export function pageById<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: StringReference<DB, TB>,
  { limit, cursor }: { readonly limit: number; readonly cursor?: EventId | WebhookId | undefined },
): Promise<Row[]> {
  const id = sql.ref<string>(column)
  const older = cursor ? query.where(id, '<', uuidOf(cursor)) : query
  return older
    .orderBy(id, 'desc')
    .limit(limit + 1)
    .execute()
}

/**
 * The latest position first, one row more than the page when there are more. Events appear at the front only: those of transactions that
 * may still be followed by an event before them are left out until then.
 */
export async function pageOfEvents(
  db: Queryable,
  { accountId, applicationId }: EventOwner,
  { type, limit, cursor }: EventQuery,
): Promise<StoredEvent[]> {
  const rows = await select(db, accountId, applicationId)
    .where(sql<boolean>`position < (select transaction_horizon())`)
    .$if(type !== undefined, (all) => all.where('type', '=', type ?? ''))
    .$if(cursor !== undefined, (all) => all.where(isBefore(accountId, cursor as EventId)))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(toEvent)
}

const isBefore = (accountId: AccountId, id: EventId) => sql<boolean>`(position, id) < (
  select position, id from events as last where last.account_id = ${uuidOf(accountId)} and last.id = ${uuidOf(id)})`

/** The highest position of the newest events. */
export async function newestEventPosition(db: Queryable): Promise<bigint> {
  const { rows } = await sql<{ newest: bigint | null }>`
    select max(position) as newest from (select position from events order by created_at desc limit 1000) as latest`.execute(
    db,
  )
  return rows[0]?.newest ?? 0n
}

export async function findEvent(
  db: Queryable,
  { accountId, applicationId }: EventOwner,
  id: EventId,
): Promise<StoredEvent | null> {
  const row = await select(db, accountId, applicationId).where('id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toEvent(row) : null
}

/** Deletes some events from before a time, with their deliveries. Returns their number. */
export async function deleteEvents(db: Queryable, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with old as (
      select account_id, id from events where created_at < ${before} order by created_at limit ${most} for update skip locked
    ), without_attempts as (
      delete from webhook_delivery_attempts t using old where t.account_id = old.account_id and t.event_id = old.id
    ), without_deliveries as (
      delete from webhook_deliveries d using old where d.account_id = old.account_id and d.event_id = old.id
    ), gone as (
      delete from events e using old where e.account_id = old.account_id and e.id = old.id returning 1
    )
    select count(*)::int as events from gone`.execute(db)
  return rows[0]?.events ?? 0
}
