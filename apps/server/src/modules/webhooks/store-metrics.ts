import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { type QueueState, readQueues } from '../../platform/metrics/queues.ts'

/** The due deliveries of one endpoint that are counted. */
const COUNTED_OF_ENDPOINT = 1000

/** A recursive query steps from one endpoint to the next through the index of due deliveries, which begins with the endpoint. */
const dueDeliveries = sql`
  with recursive endpoints as (
    (select endpoint_id from webhook_deliveries where next_attempt_at is not null order by endpoint_id limit 1)
    union all
    select (select endpoint_id from webhook_deliveries where next_attempt_at is not null and endpoint_id > endpoints.endpoint_id
      order by endpoint_id limit 1)
    from endpoints where endpoints.endpoint_id is not null
  )
  select due.next_attempt_at as due_at from endpoints cross join lateral (
    select next_attempt_at from webhook_deliveries
    where endpoint_id = endpoints.endpoint_id and next_attempt_at <= ${databaseNow}
    order by next_attempt_at limit ${COUNTED_OF_ENDPOINT}) as due`

/** Events in the outbox; the first one is the oldest. */
const eventsToRelay = sql`
  select (select created_at from events e where e.account_id = waiting.account_id and e.id = waiting.event_id) as due_at
  from events_to_relay as waiting order by seq`

export const readWebhookQueues = (db: Database): Promise<QueueState[]> =>
  readQueues(db, { events: eventsToRelay, deliveries: dueDeliveries })
