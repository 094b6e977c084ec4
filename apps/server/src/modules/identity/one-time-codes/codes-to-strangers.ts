import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { addressUses } from '../../../platform/limits/admit.ts'
import { takeTogether } from '../../../platform/limits/limits.ts'
import { refuseSpent } from '../../../platform/limits/refusal.ts'
import { codesToStrangers } from '../limits.ts'

/** Counts a code that is mailed for somebody who is known by an address only. */
export async function countCodeToStranger(ctx: Ctx, q: Queryable, address: string): Promise<void> {
  const uses = addressUses(ctx, codesToStrangers, address)
  refuseSpent(await takeTogether(ctx, q, uses), ctx.clock.now(), 'you ask for another code')
}
