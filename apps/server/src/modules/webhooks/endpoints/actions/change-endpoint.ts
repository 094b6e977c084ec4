import type { WebhookId } from '@muripo/contract/ids'
import type { ChangeWebhook } from '@muripo/contract/webhooks'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { mailEndpointChange } from '../emails.ts'
import { endpointChanges, enforceLimit } from '../limits.ts'
import { type Endpoint, lockEndpoint, updateEndpoint } from '../store-endpoints.ts'
import { checkUrl, type WebhooksCtx } from './check-url.ts'

/**
 * Changes the given fields only. Deliveries in progress go to the new address.
 * @throws AppError not_found, validation_failed, rate_limited
 */
export async function changeEndpoint(
  ctx: WebhooksCtx,
  actor: Actor,
  owner: EventOwner,
  id: WebhookId,
  { url, events, status }: ChangeWebhook,
): Promise<Endpoint> {
  const checked = url === undefined ? undefined : await checkUrl(ctx, owner, url)
  await enforceLimit(ctx, endpointChanges, owner.accountId, owner.applicationId)
  return ctx.db.tx(async (tx) => {
    const before = await lockEndpoint(tx, owner, id)
    if (before === null) throw new AppError('not_found')
    const change = {
      ...(checked !== undefined && checked !== before.url && { url: checked }),
      ...(events !== undefined && !sameSet(events, before.events) && { events }),
      // A failing endpoint stays failing when it is enabled: the request does not show that it works again.
      ...(status !== undefined && (status === 'disabled') !== (before.status === 'disabled') && { status }),
    }
    if (Object.keys(change).length === 0) return before
    await updateEndpoint(tx, before, change, ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'webhook.changed',
      subject: id,
      accountId: owner.accountId,
      details: { applicationId: owner.applicationId, ...change },
    })
    const after = { ...before, ...change }
    await mailEndpointChange(ctx, tx, actor, { kind: 'changed', urlBefore: before.url }, after)
    return after
  })
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each))
