import { EventId, type WebhookId } from '@muripo/contract/ids'
import { TEST_EVENT } from '@muripo/contract/webhook-enums'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { listEndpoints, lockEndpoint } from '../../endpoints/store-endpoints.ts'
import { type EventOwner, findEvent, recordEvent } from '../../events/store-events.ts'
import { deliveredEndpoints, findDelivery, type StoredDelivery, sendNow } from '../store-deliveries.ts'

/**
 * Sends an event again, under the same id, to each endpoint that is subscribed to its type now or received it before.
 * @throws AppError not_found
 */
export const redeliverEvent = (ctx: Ctx, owner: EventOwner, eventId: EventId): Promise<WebhookId[]> =>
  ctx.db.tx(async (tx) => {
    const event = await findEvent(tx, owner, eventId)
    if (event === null) throw new AppError('not_found')
    const before = await deliveredEndpoints(tx, owner.accountId, eventId)
    const endpoints = (await listEndpoints(tx, owner)).filter(
      ({ id, status, events }) =>
        status !== 'disabled' && (before.includes(id) || (events as readonly string[]).includes(event.type)),
    )
    for (const { id } of endpoints) await sendNow(tx, owner.accountId, eventId, id)
    return endpoints.map(({ id }) => id)
  })

/**
 * Sends an event again to one endpoint that received it before.
 * @param alongside runs in the same transaction
 * @throws AppError not_found, webhook_disabled
 */
export const resendDelivery = (
  ctx: Ctx,
  owner: EventOwner,
  id: WebhookId,
  eventId: EventId,
  alongside: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<StoredDelivery> =>
  ctx.db.tx(async (tx) => {
    const endpoint = await lockEndpoint(tx, owner, id)
    const known = endpoint && (await findDelivery(tx, owner.accountId, id, eventId))
    if (!known) throw new AppError('not_found')
    if (endpoint.status === 'disabled') throw new AppError('webhook_disabled')
    await sendNow(tx, owner.accountId, eventId, id)
    await alongside(tx)
    const delivery = await findDelivery(tx, owner.accountId, id, eventId)
    invariant(delivery, 'a delivery is deleted with its event only')
    return delivery
  })

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
    await sendNow(tx, owner.accountId, eventId, id)
    const delivery = await findDelivery(tx, owner.accountId, id, eventId)
    invariant(delivery, 'a delivery that was just created exists')
    return delivery
  })
