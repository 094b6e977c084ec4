import type * as dashboard from '@muripo/contract/dashboard-webhooks'
import type * as contract from '@muripo/contract/webhooks'
import type { StoredAttempt, StoredDelivery } from './deliveries/store-deliveries.ts'
import type { Endpoint } from './endpoints/store-endpoints.ts'
import { bodyOf, type StoredEvent } from './events/store-events.ts'

/** The event as an endpoint reads it: the parsed body of its deliveries. */
export const toPublicEvent = (event: StoredEvent): contract.WebhookEvent => JSON.parse(bodyOf(event))

export const toPublicWebhook = (endpoint: Endpoint): contract.PublicWebhook => ({
  id: endpoint.id,
  object: 'webhook',
  url: endpoint.url,
  events: [...endpoint.events],
  status: endpoint.status,
  created_at: endpoint.createdAt.toISOString(),
})

export const toWebhook = (
  endpoint: Endpoint,
  mode: dashboard.Webhook['mode'],
  overlapUntil: Date | null,
): dashboard.Webhook => ({
  _id: endpoint.id,
  url: endpoint.url,
  events: [...endpoint.events],
  status: endpoint.status,
  mode,
  createdAt: endpoint.createdAt.toISOString(),
  previousSecretExpiresAt: overlapUntil?.toISOString() ?? null,
})

export const toDelivery = (delivery: StoredDelivery): dashboard.Delivery => ({
  eventId: delivery.event.id,
  type: delivery.event.type,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus,
  error: delivery.error,
  createdAt: delivery.createdAt.toISOString(),
  lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
})

export const toDetails = (
  delivery: StoredDelivery,
  url: string,
  attempts: readonly StoredAttempt[],
): dashboard.DeliveryDetails => ({
  ...toDelivery(delivery),
  url,
  requestBody: bodyOf(delivery.event),
  log: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
})
