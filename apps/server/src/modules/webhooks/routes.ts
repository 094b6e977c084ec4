import * as dashboard from '@muripo/contract/dashboard-webhooks'
import { ApplicationId, EventId, type MerchantId, WebhookId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/webhooks'
import { callerActor } from '../../platform/audit/actor.ts'
import { AppError } from '../../platform/errors.ts'
import { pageOf, publicPage } from '../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import { hasApplication, type KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import { redeliverEvent, resendDelivery, sendTestEvent } from './deliveries/actions/send-on-request.ts'
import { attemptsOf, findDelivery, pageOfDeliveries } from './deliveries/store-deliveries.ts'
import { changeEndpoint } from './endpoints/actions/change-endpoint.ts'
import type { WebhooksCtx } from './endpoints/actions/check-url.ts'
import { createEndpoint } from './endpoints/actions/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/actions/delete-endpoint.ts'
import { rotateSecret } from './endpoints/actions/rotate-secret.ts'
import { enforceLimit, secretRotations, sendsOnRequest } from './endpoints/limits.ts'
import { allEndpoints, type Endpoint, findEndpoint, pageOfEndpoints } from './endpoints/store-endpoints.ts'
import { overlapsOf } from './endpoints/store-secrets.ts'
import { type EventOwner, findEvent, pageOfEvents } from './events/store-events.ts'
import { toDelivery, toDetails, toPublicEvent, toPublicWebhook, toWebhook } from './wire.ts'

/** The routes of a merchant's server, which has an application key. */
export const publicWebhookRoutes = (ctx: WebhooksCtx): Binding<KeyOwner>[] => [
  bind(contract.createPublicWebhook, async ({ caller, body, request, confirmed }) => {
    const actor = callerActor(caller, request)
    const { endpoint, secret } = await createEndpoint(confirmed(ctx), actor, ownerOf(caller), body)
    return answer(201, { ...toPublicWebhook(endpoint), secret })
  }),
  bind(contract.listPublicWebhooks, async ({ caller, query }) => {
    const found = await pageOfEndpoints(ctx.reads.kysely, caller, query)
    return answer(200, publicPage(found, query.limit, toPublicWebhook))
  }),
  bind(contract.getPublicWebhook, async ({ caller, params }) =>
    answer(200, toPublicWebhook(await existingEndpoint(ctx, caller, params))),
  ),
  bind(contract.changePublicWebhook, async ({ caller, params, body, request, confirmed }) => {
    const actor = callerActor(caller, request)
    const id = requestedId(WebhookId, params.webhookId)
    const changed = await changeEndpoint(confirmed(ctx), actor, ownerOf(caller), id, body)
    return answer(200, toPublicWebhook(changed))
  }),
  bind(contract.deletePublicWebhook, async ({ caller, params, request, confirmed }) => {
    const actor = callerActor(caller, request)
    await deleteEndpoint(confirmed(ctx), actor, ownerOf(caller), requestedId(WebhookId, params.webhookId))
    return answer(204, undefined)
  }),
  bind(contract.rotatePublicSecret, async ({ caller, params, request, confirmed }) => {
    const id = requestedId(WebhookId, params.webhookId)
    await enforceLimit(ctx, secretRotations, caller.accountId, id)
    const actor = callerActor(caller, request)
    const { endpoint, secret, overlapUntil } = await rotateSecret(confirmed(ctx), actor, ownerOf(caller), id)
    return answer(200, {
      ...toPublicWebhook(endpoint),
      secret,
      previous_secret_expires_at: overlapUntil.toISOString(),
    })
  }),
  bind(contract.listEvents, async ({ caller, query }) => {
    const found = await pageOfEvents(ctx.reads.kysely, caller, query)
    return answer(200, publicPage(found, query.limit, toPublicEvent))
  }),
  bind(contract.getEvent, async ({ caller, params }) => {
    const event = await findEvent(ctx.reads.kysely, caller, requestedId(EventId, params.eventId))
    if (event === null) throw new AppError('not_found')
    return answer(200, toPublicEvent(event))
  }),
  bind(contract.redeliverEvent, async ({ caller, params, confirmed }) => {
    await enforceLimit(ctx, sendsOnRequest, caller.accountId, caller.applicationId)
    const event = requestedId(EventId, params.eventId)
    return answer(202, { event, webhooks: await redeliverEvent(confirmed(ctx), ownerOf(caller), event) })
  }),
]

/** The routes of the dashboard, which has a session. */
export const dashboardWebhookRoutes = (ctx: WebhooksCtx): Binding<SessionCaller>[] => [
  ...dashboardEndpointRoutes(ctx),
  ...dashboardDeliveryRoutes(ctx),
]

function dashboardEndpointRoutes(ctx: WebhooksCtx): Binding<SessionCaller>[] {
  const { db, reads, clock } = ctx

  const modeOf = ({ accountId }: Endpoint, caller: { merchantId: MerchantId }) =>
    accountId === caller.merchantId ? ctx.config.keyMode : 'test'

  async function shown(endpoint: Endpoint, caller: { merchantId: MerchantId }): Promise<dashboard.Webhook> {
    const overlaps = await overlapsOf(db.kysely, endpoint.accountId, [endpoint.id], clock.now())
    return toWebhook(endpoint, modeOf(endpoint, caller), overlaps.get(endpoint.id) ?? null)
  }

  return [
    bind(dashboard.listWebhooks, async ({ caller, params }) => {
      const { accountId, applicationId } = applicationOwner(caller, params)
      if (!(await hasApplication(reads.kysely, accountId, applicationId))) throw new AppError('not_found')
      const { merchantId } = caller
      const endpoints = await allEndpoints(reads.kysely, { merchantId, applicationId })
      return answer(200, { webhooks: await Promise.all(endpoints.map((each) => shown(each, caller))) })
    }),
    bind(dashboard.createWebhook, async ({ caller, params, body, request, confirmed }) => {
      const owner = applicationOwner(caller, params)
      const actor = callerActor(caller, request)
      const { endpoint, secret } = await createEndpoint(confirmed(ctx), actor, owner, body)
      return answer(201, { ...toWebhook(endpoint, modeOf(endpoint, caller), null), secret })
    }),
    bind(dashboard.changeWebhook, async ({ caller, params, body, request, confirmed }) => {
      const owner = await endpointOwner(ctx, caller, params)
      const actor = callerActor(caller, request)
      const id = requestedId(WebhookId, params.webhookId)
      return answer(200, await shown(await changeEndpoint(confirmed(ctx), actor, owner, id, body), caller))
    }),
    bind(dashboard.deleteWebhook, async ({ caller, params, request, confirmed }) => {
      const owner = await endpointOwner(ctx, caller, params)
      const actor = callerActor(caller, request)
      await deleteEndpoint(confirmed(ctx), actor, owner, requestedId(WebhookId, params.webhookId))
      return answer(204, undefined)
    }),
    bind(dashboard.rotateWebhookSecret, async ({ caller, params, request, confirmed }) => {
      const id = requestedId(WebhookId, params.webhookId)
      await enforceLimit(ctx, secretRotations, caller.merchantId, id)
      const actor = callerActor(caller, request)
      const owner = await endpointOwner(ctx, caller, params)
      const { endpoint, secret, overlapUntil } = await rotateSecret(confirmed(ctx), actor, owner, id)
      return answer(200, { ...toWebhook(endpoint, modeOf(endpoint, caller), overlapUntil), secret })
    }),
  ]
}

function dashboardDeliveryRoutes(ctx: WebhooksCtx): Binding<SessionCaller>[] {
  const { reads } = ctx

  return [
    bind(dashboard.sendTestEvent, async ({ caller, params, confirmed }) => {
      const owner = await endpointOwner(ctx, caller, params)
      await enforceLimit(ctx, sendsOnRequest, caller.merchantId, owner.applicationId)
      const id = requestedId(WebhookId, params.webhookId)
      return answer(202, toDelivery(await sendTestEvent(confirmed(ctx), owner, id)))
    }),
    bind(dashboard.listDeliveries, async ({ caller, params, query }) => {
      const owner = await endpointOwner(ctx, caller, params)
      const { accountId, id } = await existingEndpoint(ctx, owner, params)
      const { page, last } = pageOf(await pageOfDeliveries(reads.kysely, accountId, id, query), query.limit)
      return answer(200, { deliveries: page.map(toDelivery), nextCursor: last?.event.id ?? null })
    }),
    bind(dashboard.getDelivery, async ({ caller, params }) => {
      const owner = await endpointOwner(ctx, caller, params)
      const { accountId, id, url } = await existingEndpoint(ctx, owner, params)
      const eventId = requestedId(EventId, params.eventId)
      const [delivery, attempts] = await Promise.all([
        findDelivery(reads.kysely, accountId, id, eventId),
        attemptsOf(reads.kysely, accountId, id, eventId),
      ])
      if (delivery === null) throw new AppError('not_found')
      return answer(200, toDetails(delivery, url, attempts))
    }),
    bind(dashboard.resendDelivery, async ({ caller, params, confirmed }) => {
      const owner = await endpointOwner(ctx, caller, params)
      await enforceLimit(ctx, sendsOnRequest, caller.merchantId, owner.applicationId)
      const id = requestedId(WebhookId, params.webhookId)
      const eventId = requestedId(EventId, params.eventId)
      return answer(202, toDelivery(await resendDelivery(confirmed(ctx), owner, id, eventId)))
    }),
  ]
}

/** @throws AppError not_found */
async function existingEndpoint(
  { reads }: WebhooksCtx,
  owner: EventOwner,
  { webhookId }: { webhookId: string },
): Promise<Endpoint> {
  const endpoint = await findEndpoint(reads.kysely, owner, requestedId(WebhookId, webhookId))
  if (endpoint === null) throw new AppError('not_found')
  return endpoint
}

const ownerOf = ({ accountId, applicationId }: EventOwner): EventOwner => ({ accountId, applicationId })

/** The merchant's own account with the application of a path. */
const applicationOwner = (
  { merchantId }: { merchantId: MerchantId },
  params: { applicationId: string },
): EventOwner => ({ accountId: merchantId, applicationId: requestedId(ApplicationId, params.applicationId) })

/** The account that has the endpoint, live or test: a merchant manages the endpoints of both on the dashboard. */
async function endpointOwner(
  { db }: WebhooksCtx,
  caller: { merchantId: MerchantId },
  params: { applicationId: string; webhookId: string },
): Promise<EventOwner> {
  const owner = applicationOwner(caller, params)
  const id = requestedId(WebhookId, params.webhookId)
  const endpoints = await allEndpoints(db.kysely, { ...owner, merchantId: caller.merchantId })
  const found = endpoints.find((endpoint) => endpoint.id === id)
  return found ? ownerOf(found) : owner
}
