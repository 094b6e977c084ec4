import { EventId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/webhooks'
import { AppError } from '../../../platform/errors.ts'
import { publicPage } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { WebhooksCtx } from '../context.ts'
import { redeliverEvent } from '../deliveries/actions/redeliver-event.ts'
import { enforceLimit, sendsOnRequest } from '../endpoints/limits.ts'
import { ownerOf } from '../endpoints/owner.ts'
import { toPublicEvent } from '../wire.ts'
import { findEvent, pageOfEvents } from './store-events.ts'

export function publicEventRoutes(ctx: WebhooksCtx): Binding<KeyOwner>[] {
  return [
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
}
