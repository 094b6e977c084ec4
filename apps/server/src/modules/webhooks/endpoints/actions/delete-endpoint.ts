import type { WebhookId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { endpointChanges, enforceLimit } from '../limits.ts'
import { lockEndpoint, updateEndpoint } from '../store-endpoints.ts'
import { deleteSecrets } from '../store-secrets.ts'

/**
 * Deletes an endpoint and its secrets. Nothing more is sent to it; waiting deliveries are resolved when they are due.
 * @throws AppError not_found, rate_limited
 */
export async function deleteEndpoint(
  ctx: Ctx,
  actor: Actor,
  owner: EventOwner,
  id: WebhookId,
): Promise<void> {
  await enforceLimit(ctx, endpointChanges, owner.accountId, owner.applicationId)
  await ctx.db.tx(async (tx) => {
    const endpoint = await lockEndpoint(tx, owner, id)
    if (endpoint === null) throw new AppError('not_found')
    const at = ctx.clock.now()
    await updateEndpoint(tx, endpoint, { deletedAt: at }, at)
    await deleteSecrets(tx, endpoint)
    await audit(ctx, tx, actor, {
      action: 'webhook.deleted',
      subject: id,
      accountId: owner.accountId,
      details: { applicationId: owner.applicationId, url: endpoint.url },
    })
  })
}
