import { WEBHOOKS_MAX } from '@muripo/contract/constants'
import { SecretId, WebhookId } from '@muripo/contract/ids'
import type { CreateWebhook } from '@muripo/contract/webhooks'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { AppError } from '../../../../platform/errors.ts'
import { lockApplication } from '../../../applications/index.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { mailEndpointChange } from '../emails.ts'
import { endpointChanges, enforceLimit } from '../limits.ts'
import { encryptSecret, newSecret, shownSecret } from '../secrets.ts'
import { type Endpoint, insertEndpoint, listEndpoints } from '../store-endpoints.ts'
import { insertSecret } from '../store-secrets.ts'
import { checkUrl, type WebhooksCtx } from './check-url.ts'

/** @throws AppError not_found, validation_failed, webhook_limit_reached, rate_limited */
export async function createEndpoint(
  ctx: WebhooksCtx,
  actor: Actor,
  owner: EventOwner,
  input: z.output<typeof CreateWebhook>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const url = await checkUrl(ctx, owner, input.url)
  await enforceLimit(ctx, endpointChanges, owner.accountId, owner.applicationId)
  return ctx.db.tx(async (tx) => {
    // The lock orders concurrent creates, so that their number stays within the limit.
    if (!(await lockApplication(tx, owner.accountId, owner.applicationId))) throw new AppError('not_found')
    if ((await listEndpoints(tx, owner)).length >= WEBHOOKS_MAX) throw new AppError('webhook_limit_reached')
    const endpoint: Endpoint = {
      ...owner,
      id: ctx.ids.next(WebhookId),
      url,
      events: input.events,
      status: 'active',
      createdAt: ctx.clock.now(),
      deletedAt: null,
      createdBy: actor.personId ?? null,
    }
    await insertEndpoint(tx, endpoint)
    const secret = newSecret(ctx.ids)
    await insertSecret(tx, endpoint, {
      id: ctx.ids.next(SecretId),
      encrypted: encryptSecret(ctx.keys, endpoint.accountId, endpoint.id, secret),
      createdAt: endpoint.createdAt,
    })
    await audit(ctx, tx, actor, {
      action: 'webhook.created',
      subject: endpoint.id,
      accountId: owner.accountId,
      details: { applicationId: owner.applicationId, url, events: input.events },
    })
    await mailEndpointChange(ctx, tx, actor, { kind: 'added' }, endpoint)
    return { endpoint, secret: shownSecret(secret) }
  })
}
