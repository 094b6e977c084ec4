import * as calls from 'virtual:calls/dashboard-webhooks'
import type { Delivery, DeliveryDetails, Webhook } from '@muripo/contract/dashboard-webhooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { serverNow } from '../lib/timing.ts'
import { send } from '../session/session.ts'
import { read, throwIfFailed, unwrap } from './api-error.ts'
import { type EndpointRef, queryKeys } from './query-keys.ts'

export interface NewSecret {
  readonly webhook: Webhook
  readonly secret: string
}

export const useEndpoints = (applicationId: string) =>
  useQuery({
    queryKey: queryKeys.endpoints(applicationId),
    queryFn: async ({ signal }) => {
      const result = await send(calls.listWebhooks, {
        params: { applicationId },
        signal,
      })
      return read(result, 'loadEndpoints', (body) => body?.webhooks)
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
      const result = await send(calls.listDeliveries, {
        params: { ...endpoint },
        signal,
        query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
      })
      return read(result, 'loadDeliveries', (body) => (Array.isArray(body?.deliveries) ? body : null))
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
      const result = await send(calls.getDelivery, {
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
  const result = await send(calls.createWebhook, {
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
  return unwrap(await send(calls.changeWebhook, { params: { ...endpoint }, body }), 'changeEndpoint')
}

export async function deleteEndpoint(endpoint: EndpointRef): Promise<void> {
  throwIfFailed(await send(calls.deleteWebhook, { params: { ...endpoint } }), 'deleteEndpoint')
}

export async function rotateEndpointSecret(endpoint: EndpointRef): Promise<NewSecret> {
  const result = await send(calls.rotateWebhookSecret, {
    params: { ...endpoint },
  })
  const { secret, ...webhook } = unwrap(result, 'rotateSecret')
  return { webhook, secret }
}

export async function sendTestEvent(endpoint: EndpointRef): Promise<Delivery> {
  return unwrap(await send(calls.sendTestEvent, { params: { ...endpoint } }), 'sendTestEvent', {
    takesAccepted: true,
  })
}

export async function resendDelivery(endpoint: EndpointRef, eventId: string): Promise<Delivery> {
  const result = await send(calls.resendDelivery, {
    params: { ...endpoint, eventId },
  })
  return unwrap(result, 'redeliverEvent', { takesAccepted: true })
}
