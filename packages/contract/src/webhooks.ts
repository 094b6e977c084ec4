import { z } from 'zod'
import { WEBHOOK_URL_MAX_LENGTH } from './constants.ts'
import { EventId, WebhookId } from './ids.ts'
import { route } from './route.ts'
import { optional, PathId, Timestamp, webAddress, whenMissing } from './text.ts'
import { eventTypes, TEST_EVENT, webhookStatuses } from './webhook-enums.ts'

// --- Public surface (/api/v1), snake_case, authenticated by an application key -------------------------------------------------

const EventTypes = z
  .array(z.enum(eventTypes), { error: whenMissing('Please choose at least one event') })
  .min(1, 'Please choose at least one event')
  .refine((types) => new Set(types).size === types.length, 'Each event can be chosen once')

/** Only the form is validated here; the server checks whether the address may be called. */
const EndpointUrl = webAddress(WEBHOOK_URL_MAX_LENGTH, 'Must be an https address').refine(
  (text) => text.isWellFormed() && !/[\s\p{Cc}\\]/u.test(text),
  'Must not contain spaces',
)

export const WebhookEvent = z
  .object({
    id: EventId.describe('The same in each delivery of the event: ignore an id that you have processed'),
    type: z.enum([...eventTypes, TEST_EVENT]),
    created_at: Timestamp,
    sequence: z
      .int()
      .describe('The number of the event among those of its payment, from 1: a higher number is newer'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The payment at the time of the event, with `refund` in events about refunds, or the object of another type',
      ),
  })
  .meta({ id: 'Event' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const PublicWebhook = z
  .object({
    id: WebhookId,
    object: z.literal('webhook'),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    status: z
      .enum(webhookStatuses)
      .describe('failing: all attempts of a delivery failed. disabled: no events are sent'),
    created_at: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type PublicWebhook = z.infer<typeof PublicWebhook>

const Secret = z.string().describe('The secret that signs deliveries; returned only in this response')

export const CreateWebhook = z
  .strictObject({
    url: EndpointUrl.describe('The https address to which events are posted'),
    events: EventTypes.describe('The types of events to send'),
  })
  .meta({ id: 'CreateWebhook' })

export const ChangeWebhook = z
  .strictObject({
    url: optional(EndpointUrl),
    events: optional(EventTypes),
    status: optional(z.enum(['active', 'disabled'])).describe('disabled: no events are sent'),
  })
  .meta({ id: 'ChangeWebhook' })
export type ChangeWebhook = z.output<typeof ChangeWebhook>

const byKey = ['invalid_key', 'application_inactive'] as const
const PublicWebhookParams = z.object({ webhookId: PathId })

export const createPublicWebhook = route({
  method: 'POST',
  path: '/webhooks',
  access: 'webhooks.write',
  summary: 'Create a webhook endpoint',
  body: CreateWebhook,
  reply: { 201: z.object({ ...PublicWebhook.shape, secret: Secret }).meta({ id: 'NewWebhook' }) },
  errors: [...byKey, 'merchant_not_active', 'validation_failed', 'webhook_limit_reached', 'rate_limited'],
})

export const PublicWebhookQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: WebhookId.optional(),
})
export type PublicWebhookQuery = z.output<typeof PublicWebhookQuery>

export const listPublicWebhooks = route({
  method: 'GET',
  path: '/webhooks',
  access: 'webhooks.read',
  summary: 'List webhook endpoints',
  query: PublicWebhookQuery,
  reply: {
    200: z
      .object({
        data: z.array(PublicWebhook),
        has_more: z.boolean(),
        next_cursor: WebhookId.nullable(),
      })
      .meta({ id: 'WebhookList' }),
  },
  errors: [...byKey, 'validation_failed'],
})

export const getPublicWebhook = route({
  method: 'GET',
  path: '/webhooks/:webhookId',
  access: 'webhooks.read',
  summary: 'Read a webhook endpoint',
  params: PublicWebhookParams,
  reply: { 200: PublicWebhook },
  errors: [...byKey, 'not_found'],
})

export const changePublicWebhook = route({
  method: 'PATCH',
  path: '/webhooks/:webhookId',
  access: 'webhooks.write',
  summary: 'Change a webhook endpoint',
  params: PublicWebhookParams,
  body: ChangeWebhook,
  reply: { 200: PublicWebhook },
  errors: [...byKey, 'merchant_not_active', 'validation_failed', 'not_found', 'rate_limited'],
})

export const deletePublicWebhook = route({
  method: 'DELETE',
  path: '/webhooks/:webhookId',
  access: 'webhooks.write',
  summary: 'Delete a webhook endpoint',
  params: PublicWebhookParams,
  reply: { 204: z.undefined() },
  errors: [...byKey, 'merchant_not_active', 'not_found', 'rate_limited'],
})

export const rotatePublicSecret = route({
  method: 'POST',
  path: '/webhooks/:webhookId/rotate-secret',
  access: 'webhooks.write',
  summary: 'Rotate a signing secret',
  params: PublicWebhookParams,
  reply: {
    200: z
      .object({ ...PublicWebhook.shape, secret: Secret, previous_secret_expires_at: Timestamp })
      .meta({ id: 'RotatedWebhook' }),
  },
  errors: [...byKey, 'merchant_not_active', 'not_found', 'rate_limited'],
})

export const EventQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: EventId.optional(),
  type: z.enum([...eventTypes, TEST_EVENT]).optional(),
})
export type EventQuery = z.output<typeof EventQuery>

export const listEvents = route({
  method: 'GET',
  path: '/events',
  access: 'webhooks.read',
  summary: 'List events',
  query: EventQuery,
  reply: {
    200: z
      .object({
        data: z.array(WebhookEvent),
        has_more: z.boolean(),
        next_cursor: EventId.nullable(),
      })
      .meta({ id: 'EventList' }),
  },
  errors: [...byKey, 'validation_failed'],
})

const EventParams = z.object({ eventId: PathId })

export const getEvent = route({
  method: 'GET',
  path: '/events/:eventId',
  access: 'webhooks.read',
  summary: 'Read an event',
  params: EventParams,
  reply: { 200: WebhookEvent },
  errors: [...byKey, 'not_found'],
})

export const redeliverEvent = route({
  method: 'POST',
  path: '/events/:eventId/redeliver',
  access: 'webhooks.write',
  summary: 'Send an event again',
  params: EventParams,
  reply: { 202: z.object({ event: EventId, webhooks: z.array(WebhookId) }).meta({ id: 'Redelivery' }) },
  errors: [...byKey, 'merchant_not_active', 'not_found', 'rate_limited'],
})
