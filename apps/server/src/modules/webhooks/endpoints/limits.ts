import type { AccountId, Id } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Limit, take } from '../../../platform/limits/limits.ts'
import { refuseSpent } from '../../../platform/limits/refusal.ts'

const MINUTE_MS = 60_000

/** Endpoints made, changed and deleted; what is refused for its address is none of these. */
export const endpointChanges: Limit = { name: 'webhook changes', quota: 30, windowMs: MINUTE_MS }
/** Hosts asked for before an address is taken. */
export const addressLookUps: Limit = { name: 'webhook look-ups', quota: 120, windowMs: MINUTE_MS }
/** So that few secrets of one endpoint sign at the same time. */
export const secretRotations: Limit = { name: 'webhook secrets', quota: 5, windowMs: 24 * 60 * MINUTE_MS }
/** Events sent because somebody asks for it. */
export const askedDeliveries: Limit = { name: 'webhook sends', quota: 120, windowMs: MINUTE_MS }

/** Counts a call about an application, or one of its endpoints. Who names another merchant's uses up nothing of theirs. */
export async function count(ctx: Ctx, limit: Limit, accountId: AccountId, about: Id<string>): Promise<void> {
  refuseSpent(await take(ctx, ctx.db.kysely, [{ limit, by: `${accountId} ${about}` }]), ctx.clock.now())
}
