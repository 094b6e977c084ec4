import type { TeamPolicy } from '@muripo/contract/team'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { findPolicy, lockTeam, updatePolicy } from '../store-team.ts'
import type { TeamCaller } from '../team-caller.ts'

/** Requires a second factor of every member, or ends the requirement. A repeated requirement keeps the time of the first one. */
export async function changePolicy(
  ctx: Ctx,
  actor: Actor,
  { merchantId }: TeamCaller,
  { requireSecondFactor }: Pick<TeamPolicy, 'requireSecondFactor'>,
): Promise<TeamPolicy> {
  await enforceThrottle(ctx, throttles.teamChanges, merchantId)
  return ctx.db.tx(async (tx) => {
    await lockTeam(tx, merchantId)
    const policy = await findPolicy(tx, merchantId)
    if (policy.requireSecondFactor === requireSecondFactor) return policy
    await updatePolicy(tx, merchantId, requireSecondFactor ? ctx.clock.now() : null)
    await audit(ctx, tx, actor, {
      action: 'team.policy_changed',
      subject: merchantId,
      accountId: merchantId,
      details: { requireSecondFactor },
    })
    return findPolicy(tx, merchantId)
  })
}
