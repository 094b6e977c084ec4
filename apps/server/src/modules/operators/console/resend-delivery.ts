import type { EventId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { type EndpointAnywhere, resendDelivery } from '../../webhooks/index.ts'

/**
 * Sends an event to an endpoint again, for its merchant.
 * @throws AppError not_found, webhook_disabled
 */
export const resendForMerchant = (
  ctx: Ctx,
  operator: Actor,
  { accountId, applicationId, id }: EndpointAnywhere,
  eventId: EventId,
): ReturnType<typeof resendDelivery> =>
  resendDelivery(ctx, { accountId, applicationId }, id, eventId, (tx) =>
    audit(ctx, tx, operator, {
      action: 'webhook.resent_by_operator',
      subject: id,
      accountId,
      details: { event: eventId },
    }),
  )
