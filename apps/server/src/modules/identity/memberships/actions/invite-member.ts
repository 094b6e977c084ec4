import { InvitationId } from '@muripo/contract/ids'
import { INVITATION_DAYS, type Invitation, OPEN_INVITATIONS_MAX, TEAM_MAX } from '@muripo/contract/team'
import { reasonOf } from '@muripo/locales/errors'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { invitationMail } from '../../emails.ts'
import { merchantProfile } from '../../merchants/store-merchants.ts'
import { notPermitted } from '../../permissions.ts'
import { findAccount } from '../../persons/store-persons.ts'
import { DAY_MS, enforceThrottle, throttles } from '../../throttles.ts'
import { type Grant, mayGrant, mayManage } from '../grants.ts'
import { hashInvitation, newInvitationToken } from '../invitation-token.ts'
import {
  endInvitation,
  endInvitationOf,
  insertInvitation,
  invitationToWire,
  openInvitations,
} from '../store-invitations.ts'
import { countMembers, isMember, lockTeam } from '../store-team.ts'
import type { TeamCaller } from '../team-caller.ts'

/**
 * Mails an invitation. An open invitation of the same email is replaced.
 * @throws AppError not_permitted, already_member, invitation_limit_reached, rate_limited
 */
export async function inviteMember(
  ctx: Ctx,
  actor: Actor,
  caller: TeamCaller,
  { email, ...grant }: Grant & { readonly email: string },
): Promise<Invitation> {
  const { merchantId, personId } = caller
  if (!mayGrant(caller, grant)) throw notPermitted('Your role may not give this role to others')
  await enforceThrottle(ctx, throttles.invitations, merchantId)
  const token = newInvitationToken(ctx)
  const invitation = await ctx.db.tx(async (tx) => {
    await lockTeam(tx, merchantId)
    const now = ctx.clock.now()
    if (await isMember(tx, merchantId, email)) throw new AppError('already_member')
    const replaced = await endInvitationOf(tx, merchantId, email, now)
    if (replaced !== null && !mayManage(caller, replaced)) throw ofAdmin()
    const open = await openInvitations(tx, merchantId, now)
    if (open.length >= OPEN_INVITATIONS_MAX) throw new AppError('invitation_limit_reached')
    if ((await countMembers(tx, merchantId)) + open.length >= TEAM_MAX)
      throw new AppError('invitation_limit_reached', { reason: reasonOf('teamFull', { count: TEAM_MAX }) })
    const invitation = {
      merchantId,
      id: ctx.ids.next(InvitationId),
      tokenHash: hashInvitation(ctx, token),
      email,
      ...grant,
      invitedBy: personId,
      expiresAt: plusMs(now, INVITATION_DAYS * DAY_MS),
    }
    await insertInvitation(tx, invitation, now)
    await audit(ctx, tx, actor, {
      action: 'team.invited',
      subject: invitation.id,
      accountId: merchantId,
      details: { role: grant.role, applications: grant.applications },
    })
    const inviter = await findAccount(tx, personId)
    const merchant = await merchantProfile(tx, merchantId)
    // Browsers do not send the fragment, so the token is in no log and no referrer.
    const link = `${ctx.config.publicUrl}/invitation#${token}`
    await ctx.mailer.send(tx, invitationMail({ to: email, inviter, merchant, ...grant, link }))
    return invitation
  })
  return invitationToWire(invitation)
}

/** The invitation of an admin is ended by those who may remove an admin. */
const ofAdmin = () => notPermitted('Only the owner may end the invitation of an admin')

/** @throws AppError not_found, not_permitted */
export async function revokeInvitation(
  ctx: Ctx,
  actor: Actor,
  caller: TeamCaller,
  id: InvitationId,
): Promise<void> {
  const { merchantId } = caller
  await ctx.db.tx(async (tx) => {
    const role = await endInvitation(tx, { merchantId, id }, ctx.clock.now())
    if (role === null) throw new AppError('not_found')
    if (!mayManage(caller, role)) throw ofAdmin()
    await audit(ctx, tx, actor, { action: 'team.invitation_revoked', subject: id, accountId: merchantId })
  })
}
