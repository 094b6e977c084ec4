import { TEST_EVENT } from '@muripo/contract/enums'
import { EventId, type WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { lockEndpoint } from '../../endpoints/store-endpoints.ts'
import { recordEvent } from '../../events/actions/record-event.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { LEASE_MS } from '../schedule.ts'
import { findDelivery, type StoredDelivery, sendNow } from '../store-deliveries.ts'

/**
 * Sends one endpoint a test event. It is delivered like every other, with retries and log.
 * @throws AppError not_found, webhook_disabled
 */
export const sendTestEvent = (ctx: Ctx, owner: EventOwner, id: WebhookId): Promise<StoredDelivery> =>
  ctx.db.tx(async (tx) => {
    const endpoint = await lockEndpoint(tx, owner, id)
    if (endpoint === null) throw new AppError('not_found')
    if (endpoint.status === 'disabled') throw new AppError('webhook_disabled')
    const eventId = await recordEvent(ctx, tx, owner.accountId, {
      type: TEST_EVENT,
      applicationId: owner.applicationId,
      // Each test event is its own subject.
      subject: ctx.ids.next(EventId),
      sequence: 1,
      data: { object: 'webhook', id, message: 'This is a test event. Nothing has happened.' },
    })
    await sendNow(tx, owner.accountId, eventId, id, LEASE_MS)
    const delivery = await findDelivery(tx, owner.accountId, id, eventId)
    invariant(delivery, 'a delivery that was just made is there')
    return delivery
  })
