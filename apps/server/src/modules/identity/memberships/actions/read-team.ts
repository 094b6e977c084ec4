import type { MerchantId } from '@muripo/contract/ids'
import type { Team } from '@muripo/contract/team'
import type { Ctx } from '../../../../platform/ctx.ts'
import { invitationToWire, openInvitations } from '../store-invitations.ts'
import { findHandOver, findPolicy, listMembers } from '../store-team.ts'

export async function readTeam(ctx: Ctx, merchantId: MerchantId): Promise<Team> {
  const now = ctx.clock.now()
  const q = ctx.db.kysely
  const [members, invitations, handOver, policy] = await Promise.all([
    listMembers(q, merchantId),
    openInvitations(q, merchantId, now),
    findHandOver(q, merchantId, now),
    findPolicy(q, merchantId),
  ])
  return {
    members,
    invitations: invitations.map(invitationToWire),
    handOver: handOver && { to: handOver.to, expiresAt: handOver.expiresAt.toISOString() },
    policy,
  }
}
