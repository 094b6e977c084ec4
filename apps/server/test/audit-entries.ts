import type { MerchantId } from '@muripo/contract/ids'
import { type Actor, merchantActor } from '../src/platform/audit/actor.ts'
import type { Ctx } from '../src/platform/ctx.ts'

export const byMerchant = (merchantId: MerchantId): Actor =>
  merchantActor(merchantId, { ip: '203.0.113.7', id: 'request-1' })

/** The audit entries of an object, the oldest first, without those of the factories. */
export async function auditEntriesOn(ctx: Ctx, subject: string) {
  return ctx.db.kysely
    .selectFrom('audit_log')
    .select(['at', 'actor_kind', 'actor', 'action', 'address', 'request_id', 'account_id', 'details'])
    .where('subject', '=', subject)
    .where('actor', '<>', 'factory')
    .orderBy('id')
    .execute()
}
