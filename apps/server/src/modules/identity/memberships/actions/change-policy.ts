import type { TeamPolicy } from '@muripo/contract/team'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { findPolicy, lockTeam, updatePolicy } from '../store-team.ts'
import type { TeamCaller } from '../team-caller.ts'

interface PolicyChange {
  readonly requireSecondFactor?: boolean | undefined
  readonly requirePasskey?: boolean | undefined
}

/**
 * Requires a second factor or a passkey of every member, or ends a requirement. A repeated requirement keeps the time of the first one, and
 * what the change does not name stays.
 */
export async function changePolicy(
  ctx: Ctx,
  actor: Actor,
  { merchantId }: TeamCaller,
  change: PolicyChange,
): Promise<TeamPolicy> {
  await enforceThrottle(ctx, throttles.teamChanges, merchantId)
  return ctx.db.tx(async (tx) => {
    await lockTeam(tx, merchantId)
    const policy = await findPolicy(tx, merchantId)
    const { requireSecondFactor = policy.requireSecondFactor, requirePasskey = policy.requirePasskey } =
      change
    const details = {
      ...(requireSecondFactor !== policy.requireSecondFactor && { requireSecondFactor }),
      ...(requirePasskey !== policy.requirePasskey && { requirePasskey }),
    }
    if (Object.keys(details).length === 0) return policy
    await updatePolicy(tx, merchantId, details, ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'team.policy_changed',
      subject: merchantId,
      accountId: merchantId,
      details,
    })
    return findPolicy(tx, merchantId)
  })
}
