import { WEBHOOK_OVERLAP_HOURS } from '@muripo/contract/constants'
import { SecretId, type WebhookId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { EventOwner } from '../../events/store-events.ts'
import { mailEndpointChange } from '../emails.ts'
import { encryptSecret, newSecret, shownSecret } from '../secrets.ts'
import { type Endpoint, lockEndpoint } from '../store-endpoints.ts'
import { insertSecret, retireSecrets } from '../store-secrets.ts'

const OVERLAP_MS = WEBHOOK_OVERLAP_HOURS * 60 * 60 * 1000

/**
 * Creates a new secret that signs from now on. The previous one signs too for a while, so that the endpoint can switch to the new one.
 * @throws AppError not_found
 */
export const rotateSecret = (
  ctx: Ctx,
  actor: Actor,
  owner: EventOwner,
  id: WebhookId,
): Promise<{ endpoint: Endpoint; secret: string; overlapUntil: Date }> =>
  ctx.db.tx(async (tx) => {
    const endpoint = await lockEndpoint(tx, owner, id)
    if (endpoint === null) throw new AppError('not_found')
    const now = ctx.clock.now()
    const overlapUntil = plusMs(now, OVERLAP_MS)
    await retireSecrets(tx, endpoint, now, overlapUntil)
    const secret = newSecret(ctx.ids)
    await insertSecret(tx, endpoint, {
      id: ctx.ids.next(SecretId),
      encrypted: encryptSecret(ctx.keys, endpoint.accountId, id, secret),
      createdAt: now,
    })
    await audit(ctx, tx, actor, {
      action: 'webhook.secret_rotated',
      subject: id,
      accountId: owner.accountId,
      details: { applicationId: owner.applicationId, previousUntil: overlapUntil.toISOString() },
    })
    await mailEndpointChange(ctx, tx, actor, { kind: 'secret rotated' }, endpoint)
    return { endpoint, secret: shownSecret(secret), overlapUntil }
  })
