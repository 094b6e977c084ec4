import type {
  changeWebhook,
  createWebhook,
  Delivery,
  DeliveryDetails,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateWebhookSecret,
  sendTestEvent,
  Webhook,
} from '@muripo/contract/dashboard-webhooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CallError } from '../../../api/errors.ts'
import type { ApiResult } from '../../../lib/http.ts'
import { send } from '../../../session/session.ts'

/** Which endpoint of which application a call is about. */
export interface Of {
  readonly applicationId: string
  readonly webhookId: string
}

export interface NewSecret {
  readonly webhook: Webhook
  readonly secret: string
}

const one = '/applications/:applicationId/webhooks/:webhookId'

function got<T>(result: ApiResult<T>, fallback: string): T {
  if (result.error !== null || result.data === null) throw new CallError(result, fallback)
  return result.data
}

export const webhooksKey = (applicationId: string) => ['webhooks', applicationId] as const
export const deliveriesKey = ({ applicationId, webhookId }: Of) =>
  [...webhooksKey(applicationId), webhookId, 'deliveries'] as const
export const deliveryKey = (of: Of, eventId: string) => [...deliveriesKey(of), eventId] as const

export const useWebhooks = (applicationId: string) =>
  useQuery({
    queryKey: webhooksKey(applicationId),
    queryFn: async () => {
      const result = await send<typeof listWebhooks>('GET', '/applications/:applicationId/webhooks', {
        params: { applicationId },
      })
      return got(result, 'Failed to load the webhook endpoints').webhooks
    },
    meta: { quiet: true },
  })

/** While something is on its way, or about to be, what comes of it is asked for soon. Whoever sends it puts it off for a minute. */
const SOON_MS = 65_000
const LOOK_AGAIN_MS = 1500
const isDueSoon = ({ nextAttemptAt }: Delivery): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS

export const useDeliveries = (of: Of) =>
  useInfiniteQuery({
    queryKey: [...deliveriesKey(of), 'list'],
    queryFn: async ({ pageParam }) => {
      const result = await send<typeof listDeliveries>('GET', `${one}/deliveries`, {
        params: { ...of },
        query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
      })
      return got(result, 'Failed to load the deliveries')
    },
    initialPageParam: null as Delivery['eventId'] | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isDueSoon)) ? LOOK_AGAIN_MS : false,
    meta: { quiet: true },
  })

export const useDelivery = (of: Of, eventId: string) =>
  useQuery({
    queryKey: deliveryKey(of, eventId),
    queryFn: async (): Promise<DeliveryDetails> => {
      const result = await send<typeof getDelivery>('GET', `${one}/deliveries/:eventId`, {
        params: { ...of, eventId },
      })
      return got(result, 'Failed to load the delivery')
    },
    refetchInterval: ({ state }) => (state.data && isDueSoon(state.data) ? LOOK_AGAIN_MS : false),
    meta: { quiet: true },
  })

export async function create(
  applicationId: string,
  body: { url: string; events: Webhook['events'] },
): Promise<NewSecret> {
  const result = await send<typeof createWebhook>('POST', '/applications/:applicationId/webhooks', {
    params: { applicationId },
    body,
  })
  const { secret, ...webhook } = got(result, 'Failed to add the endpoint')
  return { webhook, secret }
}

export async function change(
  of: Of,
  body: { url?: string; events?: Webhook['events']; status?: 'active' | 'disabled' },
): Promise<Webhook> {
  return got(
    await send<typeof changeWebhook>('PATCH', one, { params: { ...of }, body }),
    'Failed to change the endpoint',
  )
}

export async function remove(of: Of): Promise<void> {
  const result = await send<typeof deleteWebhook>('DELETE', one, { params: { ...of } })
  if (result.error !== null) throw new CallError(result, 'Failed to delete the endpoint')
}

export async function rotate(of: Of): Promise<NewSecret> {
  const result = await send<typeof rotateWebhookSecret>('POST', `${one}/rotate-secret`, { params: { ...of } })
  const { secret, ...webhook } = got(result, 'Failed to rotate the secret')
  return { webhook, secret }
}

export async function sendTest(of: Of): Promise<Delivery> {
  return got(
    await send<typeof sendTestEvent>('POST', `${one}/test`, { params: { ...of } }),
    'Failed to send a test event',
  )
}

export async function resend(of: Of, eventId: string): Promise<Delivery> {
  const result = await send<typeof resendDelivery>('POST', `${one}/deliveries/:eventId/resend`, {
    params: { ...of, eventId },
  })
  return got(result, 'Failed to send the event again')
}
