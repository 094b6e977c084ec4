import * as dashboard from '@muripo/contract/dashboard-webhooks'
import { ApplicationId, EventId, type MerchantId, WebhookId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/webhooks'
import { callerActor } from '../../platform/audit/actor.ts'
import { AppError } from '../../platform/errors.ts'
import { pageOf, publicPage } from '../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { parseId } from '../../platform/ids.ts'
import { hasApplication, type KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import type { WebhooksCtx } from './context.ts'
import { redeliverEvent, resendDelivery } from './deliveries/actions/redeliver-event.ts'
import { sendTestEvent } from './deliveries/actions/send-test-event.ts'
import { attemptsOf, findDelivery, pageOfDeliveries } from './deliveries/store-deliveries.ts'
import { changeEndpoint } from './endpoints/actions/change-endpoint.ts'
import { createEndpoint } from './endpoints/actions/create-endpoint.ts'
import { deleteEndpoint } from './endpoints/actions/delete-endpoint.ts'
import { rotateSecret } from './endpoints/actions/rotate-secret.ts'
import { askedDeliveries, count, secretRotations } from './endpoints/limits.ts'
import {
  allEndpoints,
  type Endpoint,
  findEndpoint,
  overlapsOf,
  pageOfEndpoints,
} from './endpoints/store-endpoints.ts'
import { type EventOwner, findEvent, pageOfEvents } from './events/store-events.ts'
import { toDelivery, toDetails, toPublicEvent, toPublicWebhook, toWebhook } from './wire.ts'

function idOf<const Prefix extends string>(
  kind: { readonly prefix: Prefix; safeParse(text: string): { success: boolean } },
  text: string,
) {
  const id = parseId(kind, text)
  if (id === null) throw new AppError('not_found')
  return id
}

/** What a merchant's server may call, with an application key. */
export function publicWebhookRoutes(ctx: WebhooksCtx): Binding<KeyOwner>[] {
  return [
    bind(contract.createPublicWebhook, async ({ caller, body, request, confirmed }) => {
      const actor = callerActor(caller, request)
      const { endpoint, secret } = await createEndpoint(confirmed(ctx), actor, ownerOf(caller), body)
      return answer(201, { ...toPublicWebhook(endpoint), secret })
    }),
    bind(contract.listPublicWebhooks, async ({ caller, query }) => {
      const found = await pageOfEndpoints(ctx.reads.kysely, caller, query)
      return answer(200, publicPage(found, query.limit, toPublicWebhook))
    }),
    bind(contract.getPublicWebhook, async ({ caller, params }) => {
      const endpoint = await findEndpoint(ctx.reads.kysely, caller, idOf(WebhookId, params.webhookId))
      if (endpoint === null) throw new AppError('not_found')
      return answer(200, toPublicWebhook(endpoint))
    }),
    bind(contract.changePublicWebhook, async ({ caller, params, body, request, confirmed }) => {
      const actor = callerActor(caller, request)
      const id = idOf(WebhookId, params.webhookId)
      return answer(
        200,
        toPublicWebhook(await changeEndpoint(confirmed(ctx), actor, ownerOf(caller), id, body)),
      )
    }),
    bind(contract.deletePublicWebhook, async ({ caller, params, request, confirmed }) => {
      const actor = callerActor(caller, request)
      await deleteEndpoint(confirmed(ctx), actor, ownerOf(caller), idOf(WebhookId, params.webhookId))
      return answer(204, undefined)
    }),
    bind(contract.rotatePublicSecret, async ({ caller, params, request, confirmed }) => {
      const id = idOf(WebhookId, params.webhookId)
      await count(ctx, secretRotations, caller.accountId, id)
      const actor = callerActor(caller, request)
      const { endpoint, secret, overlapUntil } = await rotateSecret(
        confirmed(ctx),
        actor,
        ownerOf(caller),
        id,
      )
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
      const event = await findEvent(ctx.reads.kysely, caller, idOf(EventId, params.eventId))
      if (event === null) throw new AppError('not_found')
      return answer(200, toPublicEvent(event))
    }),
    bind(contract.redeliverEvent, async ({ caller, params, confirmed }) => {
      await count(ctx, askedDeliveries, caller.accountId, caller.applicationId)
      const event = idOf(EventId, params.eventId)
      return answer(202, { event, webhooks: await redeliverEvent(confirmed(ctx), ownerOf(caller), event) })
    }),
  ]
}

const ownerOf = ({ accountId, applicationId }: EventOwner): EventOwner => ({ accountId, applicationId })

/** What the dashboard may call, with a session. */
export function dashboardWebhookRoutes(ctx: WebhooksCtx): Binding<SessionCaller>[] {
  const { db, reads, clock } = ctx

  const owner = (caller: { merchantId: MerchantId }, params: { applicationId: string }): EventOwner => ({
    accountId: caller.merchantId,
    applicationId: idOf(ApplicationId, params.applicationId),
  })

  /** The application's account that has the endpoint: what a test key created is the merchant's too. */
  async function owning(
    caller: { merchantId: MerchantId },
    params: { applicationId: string; webhookId: string },
  ): Promise<EventOwner> {
    const whose = owner(caller, params)
    const id = idOf(WebhookId, params.webhookId)
    const endpoints = await allEndpoints(db.kysely, { ...whose, merchantId: caller.merchantId })
    const found = endpoints.find((endpoint) => endpoint.id === id)
    return found ? ownerOf(found) : whose
  }

  const modeOf = ({ accountId }: Endpoint, caller: { merchantId: MerchantId }) =>
    accountId === caller.merchantId ? ctx.config.keyMode : 'test'

  async function shown(endpoint: Endpoint, caller: { merchantId: MerchantId }): Promise<dashboard.Webhook> {
    const overlaps = await overlapsOf(db.kysely, endpoint.accountId, [endpoint.id], clock.now())
    return toWebhook(endpoint, modeOf(endpoint, caller), overlaps.get(endpoint.id) ?? null)
  }

  /** @throws AppError not_found */
  async function existing(whose: EventOwner, webhookId: string): Promise<Endpoint> {
    const endpoint = await findEndpoint(reads.kysely, whose, idOf(WebhookId, webhookId))
    if (endpoint === null) throw new AppError('not_found')
    return endpoint
  }

  return [
    bind(dashboard.listWebhooks, async ({ caller, params }) => {
      const whose = owner(caller, params)
      if (!(await hasApplication(reads.kysely, whose.accountId, whose.applicationId))) {
        throw new AppError('not_found')
      }
      const endpoints = await allEndpoints(reads.kysely, { ...whose, merchantId: caller.merchantId })
      return answer(200, { webhooks: await Promise.all(endpoints.map((each) => shown(each, caller))) })
    }),
    bind(dashboard.createWebhook, async ({ caller, params, body, request, confirmed }) => {
      const whose = owner(caller, params)
      const actor = callerActor(caller, request)
      const { endpoint, secret } = await createEndpoint(confirmed(ctx), actor, whose, body)
      return answer(201, { ...toWebhook(endpoint, modeOf(endpoint, caller), null), secret })
    }),
    bind(dashboard.changeWebhook, async ({ caller, params, body, request, confirmed }) => {
      const whose = await owning(caller, params)
      const actor = callerActor(caller, request)
      const id = idOf(WebhookId, params.webhookId)
      return answer(200, await shown(await changeEndpoint(confirmed(ctx), actor, whose, id, body), caller))
    }),
    bind(dashboard.deleteWebhook, async ({ caller, params, request, confirmed }) => {
      const whose = await owning(caller, params)
      const actor = callerActor(caller, request)
      await deleteEndpoint(confirmed(ctx), actor, whose, idOf(WebhookId, params.webhookId))
      return answer(204, undefined)
    }),
    bind(dashboard.rotateWebhookSecret, async ({ caller, params, request, confirmed }) => {
      const id = idOf(WebhookId, params.webhookId)
      await count(ctx, secretRotations, caller.merchantId, id)
      const actor = callerActor(caller, request)
      const rotated = await rotateSecret(confirmed(ctx), actor, await owning(caller, params), id)
      return answer(200, {
        ...toWebhook(rotated.endpoint, modeOf(rotated.endpoint, caller), rotated.overlapUntil),
        secret: rotated.secret,
      })
    }),
    bind(dashboard.sendTestEvent, async ({ caller, params, confirmed }) => {
      const whose = await owning(caller, params)
      await count(ctx, askedDeliveries, caller.merchantId, whose.applicationId)
      return answer(
        202,
        toDelivery(await sendTestEvent(confirmed(ctx), whose, idOf(WebhookId, params.webhookId))),
      )
    }),
    bind(dashboard.listDeliveries, async ({ caller, params, query }) => {
      const endpoint = await existing(await owning(caller, params), params.webhookId)
      const found = await pageOfDeliveries(reads.kysely, endpoint.accountId, endpoint.id, query)
      const { page, last } = pageOf(found, query.limit)
      return answer(200, {
        deliveries: page.map(toDelivery),
        nextCursor: last?.event.id ?? null,
      })
    }),
    bind(dashboard.getDelivery, async ({ caller, params }) => {
      const endpoint = await existing(await owning(caller, params), params.webhookId)
      const eventId = idOf(EventId, params.eventId)
      const [delivery, attempts] = await Promise.all([
        findDelivery(reads.kysely, endpoint.accountId, endpoint.id, eventId),
        attemptsOf(reads.kysely, endpoint.accountId, endpoint.id, eventId),
      ])
      if (delivery === null) throw new AppError('not_found')
      return answer(200, toDetails(delivery, endpoint.url, attempts))
    }),
    bind(dashboard.resendDelivery, async ({ caller, params, confirmed }) => {
      const whose = await owning(caller, params)
      await count(ctx, askedDeliveries, caller.merchantId, whose.applicationId)
      const id = idOf(WebhookId, params.webhookId)
      return answer(
        202,
        toDelivery(await resendDelivery(confirmed(ctx), whose, id, idOf(EventId, params.eventId))),
      )
    }),
  ]
}
