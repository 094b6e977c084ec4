import type { PersonId } from '@muripo/contract/ids'
import type { GrantedRole, TeamMember } from '@muripo/contract/team'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { notPermitted } from '../../permissions.ts'
import { endSessionsOf } from '../../sessions/store-sessions.ts'
import { enforceThrottle, throttles } from '../../throttles.ts'
import { type Grant, mayGrant, mayManage } from '../grants.ts'
import { deleteMembership, findMembership, listMembers, lockTeam, updateMembership } from '../store-team.ts'
import type { TeamCaller } from '../team-caller.ts'

/** The caller as the team is now, and the other member; the caller holds the lock of the team. */
async function bothMembers(tx: Tx, { merchantId, personId }: TeamCaller, other: PersonId) {
  await lockTeam(tx, merchantId)
  const [own, member] = [
    await findMembership(tx, merchantId, personId),
    await findMembership(tx, merchantId, other),
  ]
  if (own === null || member === null) throw new AppError('not_found')
  return { own, member }
}

/**
 * Changes the role of another member, or the applications to which it is limited.
 * @throws AppError not_found, not_permitted, rate_limited
 */
export async function changeMember(
  ctx: Ctx,
  actor: Actor,
  caller: TeamCaller,
  memberId: PersonId,
  change: {
    readonly role?: GrantedRole | undefined
    readonly applications?: Grant['applications'] | undefined
  },
): Promise<TeamMember> {
  const { merchantId } = caller
  await enforceThrottle(ctx, throttles.teamChanges, merchantId)
  return ctx.db.tx(async (tx) => {
    const { own, member } = await bothMembers(tx, caller, memberId)
    if (memberId === caller.personId) throw notPermitted('Nobody changes their own role')
    const role = change.role ?? member.role
    const applications = change.applications === undefined ? member.applications : change.applications
    if (role === 'owner' || !mayManage(own, member.role) || !mayGrant(own, { role, applications }))
      throw notPermitted('Your role may not change this member')
    await updateMembership(tx, member, { role, applications })
    await audit(ctx, tx, actor, {
      action: 'team.member_changed',
      subject: memberId,
      accountId: merchantId,
      details: {
        from: { role: member.role, applications: member.applications },
        to: { role, applications },
      },
    })
    const changed = (await listMembers(tx, merchantId)).find(({ id }) => id === memberId)
    if (changed === undefined) throw new AppError('not_found')
    return changed
  })
}

/**
 * Removes a member, or the caller from the team. The sessions of the member for this merchant end with the commit.
 * @throws AppError not_found, not_permitted, owner_cannot_leave
 */
export async function removeMember(
  ctx: Ctx,
  actor: Actor,
  caller: TeamCaller,
  memberId: PersonId,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { merchantId } = caller
  const isOwnLeave = memberId === caller.personId
  await ctx.db.tx(async (tx) => {
    const { own, member } = await bothMembers(tx, caller, memberId)
    // A member who leaves has no session to confirm after the last statement.
    await confirm(tx)
    if (member.role === 'owner') throw new AppError('owner_cannot_leave')
    if (!isOwnLeave && !mayManage(own, member.role))
      throw notPermitted('Your role may not remove this member')
    await endSessionsOf(tx, { merchantId, personId: memberId }, 'membership_ended', ctx.clock.now())
    await deleteMembership(tx, merchantId, memberId)
    await audit(ctx, tx, actor, {
      action: isOwnLeave ? 'team.member_left' : 'team.member_removed',
      subject: memberId,
      accountId: merchantId,
      details: { role: member.role },
    })
  })
}
