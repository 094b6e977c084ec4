import { AccountId, ApplicationId, EventId, type Id, PersonId, WebhookId } from '@muripo/contract/ids'
import type { DeliveryError, EventType, WebhookStatus } from '@muripo/contract/webhook-enums'
import type { WebhookEvent } from '@muripo/contract/webhooks'
import {
  bool,
  type Field,
  id,
  idOrNull,
  int,
  json,
  table,
  text,
  texts,
  time,
} from '../../platform/db/table.ts'
import { uuidOf } from '../../platform/ids.ts'

/** The object that an event is about, of any kind. */
const subject: Field<Id<string>> = {
  columns: { subject_id: 'uuid' },
  read: (row) => row.subject_id,
  write: (value) => [uuidOf(value)],
}

/** Statements read the data as text, so that each delivery has the same bytes. */
export const events = table(
  'events',
  {
    id: id('id', EventId),
    type: text<WebhookEvent['type']>('type'),
    sequence: int('sequence'),
    createdAt: time('created_at'),
  },
  {
    accountId: id('account_id', AccountId),
    applicationId: id('application_id', ApplicationId),
    subject,
    data: json<unknown>('data'),
  },
)

export const endpoints = table('webhook_endpoints', {
  accountId: id('account_id', AccountId),
  id: id('id', WebhookId),
  applicationId: id('application_id', ApplicationId),
  url: text('url'),
  events: texts<EventType>('events'),
  status: text<WebhookStatus>('status'),
  createdAt: time('created_at'),
  deletedAt: time<Date | null>('deleted_at'),
  /** The person who made it in the dashboard. */
  createdBy: idOrNull('created_by', PersonId),
})

export const deliveryAttempts = table(
  'webhook_delivery_attempts',
  {
    number: int('number'),
    at: time('at'),
    durationMs: int('duration_ms'),
    requestHeaders: json<Record<string, string>>('request_headers'),
    responseStatus: int<number | null>('response_status'),
    error: text<DeliveryError | null>('error'),
    responseHeaders: json<Record<string, string>>('response_headers'),
    responseBody: text('response_body'),
    responseCut: bool('response_cut'),
  },
  {
    accountId: id('account_id', AccountId),
    eventId: id('event_id', EventId),
    endpointId: id('endpoint_id', WebhookId),
  },
)
