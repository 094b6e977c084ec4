import type { AccountId, Id } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { refuseSpent } from '../../../platform/limits/admit.ts'
import { type Limit, take } from '../../../platform/limits/limits.ts'

const MINUTE_MS = 60_000

/** Endpoints created, changed and deleted; a refused address does not count. */
export const endpointChanges: Limit = { name: 'webhook changes', quota: 30, windowMs: MINUTE_MS }
/** Host look-ups before an address is accepted. */
export const addressLookUps: Limit = { name: 'webhook look-ups', quota: 120, windowMs: MINUTE_MS }
/** The limit bounds the number of secrets of one endpoint that sign at the same time. */
export const secretRotations: Limit = { name: 'webhook secrets', quota: 5, windowMs: 24 * 60 * MINUTE_MS }
/** Events sent on request. */
export const sendsOnRequest: Limit = { name: 'webhook sends', quota: 120, windowMs: MINUTE_MS }

/** Counts a call about an application, or one of its endpoints, for the calling account: another merchant's quota is never used. */
export async function enforceLimit(
  ctx: Ctx,
  limit: Limit,
  accountId: AccountId,
  about: Id<string>,
): Promise<void> {
  refuseSpent(await take(ctx, ctx.db.kysely, [{ limit, by: `${accountId} ${about}` }]), ctx.clock.now())
}
