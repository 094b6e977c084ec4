import { z } from 'zod'
import { EventId, WebhookId } from './ids.ts'
import { route } from './route.ts'
import { PathId, Timestamp } from './text.ts'
import { deliveryErrors, deliveryStatuses, eventTypes, TEST_EVENT, webhookStatuses } from './webhook-enums.ts'
import { ChangeWebhook, CreateWebhook } from './webhooks.ts'

// --- Dashboard surface (/v1), camelCase, authenticated by a session ------------------------------------------------------------

export const Webhook = z.object({
  _id: WebhookId,
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  status: z.enum(webhookStatuses),
  /** The environment of the events: live payments, or payments of a test key. */
  mode: z.enum(['live', 'test']),
  createdAt: Timestamp,
  /** The end of the overlap with the previous secret; null when only one secret signs. */
  previousSecretExpiresAt: Timestamp.nullable(),
})
export type Webhook = z.infer<typeof Webhook>

export const Delivery = z.object({
  eventId: EventId,
  type: z.enum([...eventTypes, TEST_EVENT]),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  /** The result of the last attempt: the response, or the error. */
  responseStatus: z.int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  createdAt: Timestamp,
  lastAttemptAt: Timestamp.nullable(),
  nextAttemptAt: Timestamp.nullable(),
})
export type Delivery = z.infer<typeof Delivery>

const Headers = z.record(z.string(), z.string())

export const DeliveryAttempt = z.object({
  number: z.int(),
  at: Timestamp,
  durationMs: z.int(),
  requestHeaders: Headers,
  responseStatus: z.int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  responseHeaders: Headers,
  /** The stored part of the body. */
  responseBody: z.string(),
  responseCut: z.boolean(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const DeliveryDetails = z.object({
  ...Delivery.shape,
  url: z.string(),
  requestBody: z.string(),
  /** The latest attempts first. */
  log: z.array(DeliveryAttempt),
})
export type DeliveryDetails = z.infer<typeof DeliveryDetails>

const AppParams = z.object({ applicationId: PathId })
const WebhookParams = z.object({ ...AppParams.shape, webhookId: PathId })
const DeliveryParams = z.object({ ...WebhookParams.shape, eventId: PathId })

export const listWebhooks = route({
  method: 'GET',
  path: '/applications/:applicationId/webhooks',
  access: 'webhooks.read',
  perApplication: true,
  summary: 'The webhook endpoints of an application, live and test, newest first',
  params: AppParams,
  reply: { 200: z.object({ webhooks: z.array(Webhook) }) },
  errors: ['session_invalid', 'not_found'],
})

export const createWebhook = route({
  method: 'POST',
  path: '/applications/:applicationId/webhooks',
  access: 'webhooks.write',
  stepUp: true,
  perApplication: true,
  summary: 'Create a webhook endpoint; only this response contains its secret',
  params: AppParams,
  body: CreateWebhook,
  reply: { 201: z.object({ ...Webhook.shape, secret: z.string() }) },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'not_found',
    'validation_failed',
    'webhook_limit_reached',
    'rate_limited',
  ],
})

export const changeWebhook = route({
  method: 'PATCH',
  path: '/applications/:applicationId/webhooks/:webhookId',
  access: 'webhooks.write',
  stepUp: true,
  perApplication: true,
  summary: 'Change the address, the events or the status of a webhook endpoint',
  params: WebhookParams,
  body: ChangeWebhook,
  reply: { 200: Webhook },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'validation_failed', 'rate_limited'],
})

export const deleteWebhook = route({
  method: 'DELETE',
  path: '/applications/:applicationId/webhooks/:webhookId',
  access: 'webhooks.write',
  stepUp: true,
  perApplication: true,
  summary: 'Delete a webhook endpoint and its deliveries',
  params: WebhookParams,
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'rate_limited'],
})

export const rotateWebhookSecret = route({
  method: 'POST',
  path: '/applications/:applicationId/webhooks/:webhookId/rotate-secret',
  access: 'webhooks.write',
  stepUp: true,
  perApplication: true,
  summary: 'Create a new signing secret; deliveries have a signature of the previous one, too, for 24 hours',
  params: WebhookParams,
  reply: { 200: z.object({ ...Webhook.shape, secret: z.string() }) },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'rate_limited'],
})

export const sendTestEvent = route({
  method: 'POST',
  path: '/applications/:applicationId/webhooks/:webhookId/test',
  access: 'webhooks.write',
  perApplication: true,
  summary: 'Send a test event to one endpoint',
  params: WebhookParams,
  reply: { 202: Delivery },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'webhook_disabled', 'rate_limited'],
})

export const listDeliveries = route({
  method: 'GET',
  path: '/applications/:applicationId/webhooks/:webhookId/deliveries',
  access: 'webhooks.read',
  perApplication: true,
  summary: 'Deliveries to an endpoint in the last 30 days, newest first',
  params: WebhookParams,
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    cursor: EventId.optional(),
    status: z.enum(deliveryStatuses).optional(),
  }),
  reply: { 200: z.object({ deliveries: z.array(Delivery), nextCursor: EventId.nullable() }) },
  errors: ['session_invalid', 'not_found', 'validation_failed'],
})

export const getDelivery = route({
  method: 'GET',
  path: '/applications/:applicationId/webhooks/:webhookId/deliveries/:eventId',
  access: 'webhooks.read',
  perApplication: true,
  summary: 'One delivery, with the request and the response of each attempt',
  params: DeliveryParams,
  reply: { 200: DeliveryDetails },
  errors: ['session_invalid', 'not_found'],
})

export const resendDelivery = route({
  method: 'POST',
  path: '/applications/:applicationId/webhooks/:webhookId/deliveries/:eventId/resend',
  access: 'webhooks.write',
  perApplication: true,
  summary: 'Send an event to an endpoint again',
  params: DeliveryParams,
  reply: { 202: Delivery },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'webhook_disabled', 'rate_limited'],
})
