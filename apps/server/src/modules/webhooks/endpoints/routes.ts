import * as dashboard from '@muripo/contract/dashboard-webhooks'
import { type MerchantId, WebhookId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/webhooks'
import { callerActor } from '../../../platform/audit/actor.ts'
import { AppError } from '../../../platform/errors.ts'
import { publicPage } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { hasApplication, type KeyOwner } from '../../applications/index.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { WebhooksCtx } from '../context.ts'
import { toPublicWebhook, toWebhook } from '../wire.ts'
import { changeEndpoint } from './actions/change-endpoint.ts'
import { createEndpoint } from './actions/create-endpoint.ts'
import { deleteEndpoint } from './actions/delete-endpoint.ts'
import { rotateSecret } from './actions/rotate-secret.ts'
import { enforceLimit, secretRotations } from './limits.ts'
import { applicationOwner, endpointOwner, ownerOf } from './owner.ts'
import { allEndpoints, type Endpoint, findEndpoint, pageOfEndpoints } from './store-endpoints.ts'
import { overlapsOf } from './store-secrets.ts'

export function publicEndpointRoutes(ctx: WebhooksCtx): Binding<KeyOwner>[] {
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
      const endpoint = await findEndpoint(ctx.reads.kysely, caller, requestedId(WebhookId, params.webhookId))
      if (endpoint === null) throw new AppError('not_found')
      return answer(200, toPublicWebhook(endpoint))
    }),
    bind(contract.changePublicWebhook, async ({ caller, params, body, request, confirmed }) => {
      const actor = callerActor(caller, request)
      const id = requestedId(WebhookId, params.webhookId)
      return answer(
        200,
        toPublicWebhook(await changeEndpoint(confirmed(ctx), actor, ownerOf(caller), id, body)),
      )
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
  ]
}

export function dashboardEndpointRoutes(ctx: WebhooksCtx): Binding<SessionCaller>[] {
  const { db, reads, clock } = ctx

  const modeOf = ({ accountId }: Endpoint, caller: { merchantId: MerchantId }) =>
    accountId === caller.merchantId ? ctx.config.keyMode : 'test'

  async function shown(endpoint: Endpoint, caller: { merchantId: MerchantId }): Promise<dashboard.Webhook> {
    const overlaps = await overlapsOf(db.kysely, endpoint.accountId, [endpoint.id], clock.now())
    return toWebhook(endpoint, modeOf(endpoint, caller), overlaps.get(endpoint.id) ?? null)
  }

  return [
    bind(dashboard.listWebhooks, async ({ caller, params }) => {
      const whose = applicationOwner(caller, params)
      if (!(await hasApplication(reads.kysely, whose.accountId, whose.applicationId))) {
        throw new AppError('not_found')
      }
      const endpoints = await allEndpoints(reads.kysely, { ...whose, merchantId: caller.merchantId })
      return answer(200, { webhooks: await Promise.all(endpoints.map((each) => shown(each, caller))) })
    }),
    bind(dashboard.createWebhook, async ({ caller, params, body, request, confirmed }) => {
      const whose = applicationOwner(caller, params)
      const actor = callerActor(caller, request)
      const { endpoint, secret } = await createEndpoint(confirmed(ctx), actor, whose, body)
      return answer(201, { ...toWebhook(endpoint, modeOf(endpoint, caller), null), secret })
    }),
    bind(dashboard.changeWebhook, async ({ caller, params, body, request, confirmed }) => {
      const whose = await endpointOwner(ctx, caller, params)
      const actor = callerActor(caller, request)
      const id = requestedId(WebhookId, params.webhookId)
      return answer(200, await shown(await changeEndpoint(confirmed(ctx), actor, whose, id, body), caller))
    }),
    bind(dashboard.deleteWebhook, async ({ caller, params, request, confirmed }) => {
      const whose = await endpointOwner(ctx, caller, params)
      const actor = callerActor(caller, request)
      await deleteEndpoint(confirmed(ctx), actor, whose, requestedId(WebhookId, params.webhookId))
      return answer(204, undefined)
    }),
    bind(dashboard.rotateWebhookSecret, async ({ caller, params, request, confirmed }) => {
      const id = requestedId(WebhookId, params.webhookId)
      await enforceLimit(ctx, secretRotations, caller.merchantId, id)
      const actor = callerActor(caller, request)
      const rotated = await rotateSecret(confirmed(ctx), actor, await endpointOwner(ctx, caller, params), id)
      return answer(200, {
        ...toWebhook(rotated.endpoint, modeOf(rotated.endpoint, caller), rotated.overlapUntil),
        secret: rotated.secret,
      })
    }),
  ]
}
