import type {
  changeWebhook,
  createWebhook,
  Delivery,
  DeliveryDetails,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  resendDelivery as resendRoute,
  rotateWebhookSecret,
  sendTestEvent as testRoute,
  Webhook,
} from '@muripo/contract/dashboard-webhooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { serverNow } from '../lib/timing.ts'
import { send } from '../session/session.ts'
import { throwIfFailed, unwrap } from './api-error.ts'
import { type EndpointRef, queryKeys } from './query-keys.ts'

export interface NewSecret {
  readonly webhook: Webhook
  readonly secret: string
}

const one = '/applications/:applicationId/webhooks/:webhookId'

export const useEndpoints = (applicationId: string) =>
  useQuery({
    queryKey: queryKeys.endpoints(applicationId),
    queryFn: async ({ signal }) => {
      const result = await send<typeof listWebhooks>('GET', '/applications/:applicationId/webhooks', {
        params: { applicationId },
        signal,
      })
      return unwrap(result, 'loadEndpoints').webhooks
    },
    meta: { quiet: true },
  })

/** A delivery that is due soon is polled. A sender leases a delivery for a minute. */
const SOON_MS = 65_000
const POLL_MS = 1500
const isDueSoon = ({ nextAttemptAt }: Delivery): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < serverNow() + SOON_MS

export const useDeliveries = (endpoint: EndpointRef) =>
  useInfiniteQuery({
    queryKey: queryKeys.deliveryList(endpoint),
    queryFn: async ({ pageParam, signal }) => {
      const result = await send<typeof listDeliveries>('GET', `${one}/deliveries`, {
        params: { ...endpoint },
        signal,
        query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
      })
      return unwrap(result, 'loadDeliveries')
    },
    initialPageParam: null as Delivery['eventId'] | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isDueSoon)) ? POLL_MS : false,
    meta: { quiet: true },
  })

export const useDelivery = (endpoint: EndpointRef, eventId: string) =>
  useQuery({
    queryKey: queryKeys.delivery(endpoint, eventId),
    queryFn: async ({ signal }): Promise<DeliveryDetails> => {
      const result = await send<typeof getDelivery>('GET', `${one}/deliveries/:eventId`, {
        params: { ...endpoint, eventId },
        signal,
      })
      return unwrap(result, 'loadDelivery')
    },
    refetchInterval: ({ state }) => (state.data && isDueSoon(state.data) ? POLL_MS : false),
    meta: { quiet: true },
  })

export async function createEndpoint(
  applicationId: string,
  body: { url: string; events: Webhook['events'] },
): Promise<NewSecret> {
  const result = await send<typeof createWebhook>('POST', '/applications/:applicationId/webhooks', {
    params: { applicationId },
    body,
  })
  const { secret, ...webhook } = unwrap(result, 'addEndpoint')
  return { webhook, secret }
}

export async function updateEndpoint(
  endpoint: EndpointRef,
  body: { url?: string; events?: Webhook['events']; status?: 'active' | 'disabled' },
): Promise<Webhook> {
  const result = await send<typeof changeWebhook>('PATCH', one, { params: { ...endpoint }, body })
  return unwrap(result, 'changeEndpoint')
}

export async function deleteEndpoint(endpoint: EndpointRef): Promise<void> {
  const result = await send<typeof deleteWebhook>('DELETE', one, { params: { ...endpoint } })
  throwIfFailed(result, 'deleteEndpoint')
}

export async function rotateEndpointSecret(endpoint: EndpointRef): Promise<NewSecret> {
  const result = await send<typeof rotateWebhookSecret>('POST', `${one}/rotate-secret`, {
    params: { ...endpoint },
  })
  const { secret, ...webhook } = unwrap(result, 'rotateSecret')
  return { webhook, secret }
}

export async function sendTestEvent(endpoint: EndpointRef): Promise<Delivery> {
  const result = await send<typeof testRoute>('POST', `${one}/test`, { params: { ...endpoint } })
  return unwrap(result, 'sendTestEvent', { takesAccepted: true })
}

export async function resendDelivery(endpoint: EndpointRef, eventId: string): Promise<Delivery> {
  const result = await send<typeof resendRoute>('POST', `${one}/deliveries/:eventId/resend`, {
    params: { ...endpoint, eventId },
  })
  return unwrap(result, 'redeliverEvent', { takesAccepted: true })
}
