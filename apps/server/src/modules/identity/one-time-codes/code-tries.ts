import type { Ctx } from '../../../platform/ctx.ts'
import { addressUses } from '../../../platform/limits/admit.ts'
import { giveBack, takeTogether, type Use } from '../../../platform/limits/limits.ts'
import { refuseSpent } from '../../../platform/limits/refusal.ts'
import { wrongCodes, wrongCodesOfStrangers } from '../limits.ts'
import { nameOf, type Party } from '../party.ts'
import type { Purpose } from './codes.ts'

/**
 * Asks leave to compare a code. It counts as wrong until it is given back, over all codes of the account: five tries at each of many
 * codes must not add up.
 */
export async function claimCodeTry(
  ctx: Ctx,
  code: { purpose: Purpose; account: string; party: Party },
  address: string,
): Promise<{ succeed(): Promise<void> }> {
  const by = `${code.account} by ${nameOf(code.party)}`
  const uses: Use[] = wrongCodes[code.purpose].map((limit) => ({ limit, by }))
  if (code.party === null) uses.push(...addressUses(ctx, wrongCodesOfStrangers, address))
  refuseSpent(await takeTogether(ctx, ctx.db.kysely, uses), ctx.clock.now(), 'you enter another code')
  return { succeed: () => giveBack(ctx, ctx.db.kysely, uses) }
}
