import * as dashboard from '@muripo/contract/dashboard-webhooks'
import { EventId, WebhookId } from '@muripo/contract/ids'
import { AppError } from '../../../platform/errors.ts'
import { pageOf } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { WebhooksCtx } from '../context.ts'
import { enforceLimit, sendsOnRequest } from '../endpoints/limits.ts'
import { endpointOwner } from '../endpoints/owner.ts'
import { type Endpoint, findEndpoint } from '../endpoints/store-endpoints.ts'
import type { EventOwner } from '../events/store-events.ts'
import { toDelivery, toDetails } from '../wire.ts'
import { resendDelivery } from './actions/redeliver-event.ts'
import { sendTestEvent } from './actions/send-test-event.ts'
import { attemptsOf, findDelivery, pageOfDeliveries } from './store-deliveries.ts'

export function dashboardDeliveryRoutes(ctx: WebhooksCtx): Binding<SessionCaller>[] {
  const { reads } = ctx

  /** @throws AppError not_found */
  async function existing(owner: EventOwner, webhookId: string): Promise<Endpoint> {
    const endpoint = await findEndpoint(reads.kysely, owner, requestedId(WebhookId, webhookId))
    if (endpoint === null) throw new AppError('not_found')
    return endpoint
  }

  return [
    bind(dashboard.sendTestEvent, async ({ caller, params, confirmed }) => {
      const whose = await endpointOwner(ctx, caller, params)
      await enforceLimit(ctx, sendsOnRequest, caller.merchantId, whose.applicationId)
      return answer(
        202,
        toDelivery(await sendTestEvent(confirmed(ctx), whose, requestedId(WebhookId, params.webhookId))),
      )
    }),
    bind(dashboard.listDeliveries, async ({ caller, params, query }) => {
      const endpoint = await existing(await endpointOwner(ctx, caller, params), params.webhookId)
      const found = await pageOfDeliveries(reads.kysely, endpoint.accountId, endpoint.id, query)
      const { page, last } = pageOf(found, query.limit)
      return answer(200, {
        deliveries: page.map(toDelivery),
        nextCursor: last?.event.id ?? null,
      })
    }),
    bind(dashboard.getDelivery, async ({ caller, params }) => {
      const endpoint = await existing(await endpointOwner(ctx, caller, params), params.webhookId)
      const eventId = requestedId(EventId, params.eventId)
      const [delivery, attempts] = await Promise.all([
        findDelivery(reads.kysely, endpoint.accountId, endpoint.id, eventId),
        attemptsOf(reads.kysely, endpoint.accountId, endpoint.id, eventId),
      ])
      if (delivery === null) throw new AppError('not_found')
      return answer(200, toDetails(delivery, endpoint.url, attempts))
    }),
    bind(dashboard.resendDelivery, async ({ caller, params, confirmed }) => {
      const whose = await endpointOwner(ctx, caller, params)
      await enforceLimit(ctx, sendsOnRequest, caller.merchantId, whose.applicationId)
      const id = requestedId(WebhookId, params.webhookId)
      return answer(
        202,
        toDelivery(await resendDelivery(confirmed(ctx), whose, id, requestedId(EventId, params.eventId))),
      )
    }),
  ]
}
