import { PersonId } from '@muripo/contract/ids'
import type { ShownInvitation } from '@muripo/contract/team'
import { type Actor, visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../../platform/db/database.ts'
import { violatedConstraint } from '../../../../platform/db/failures.ts'
import { AppError } from '../../../../platform/errors.ts'
import { memberJoinedMail } from '../../emails.ts'
import { merchantProfile } from '../../merchants/store-merchants.ts'
import { hashPassword } from '../../passwords/hashing.ts'
import { refuseCommonPassword, refuseOwnWords } from '../../passwords/password-rules.ts'
import {
  canonicalEmail,
  findAccount,
  findFullname,
  insertPerson,
  isEmailTaken,
  proveAccount,
} from '../../persons/store-persons.ts'
import { mayGrant } from '../grants.ts'
import { hashInvitation } from '../invitation-token.ts'
import type { ApplicationNames } from '../limit-in.ts'
import { endInvitation, type Invitation, invitationByToken } from '../store-invitations.ts'
import { insertMembership } from '../store-memberships.ts'
import { findMembership, lockTeam } from '../store-team.ts'

interface Joined {
  readonly merchant: { readonly id: Invitation['merchantId']; readonly name: string }
  readonly role: Invitation['role']
}

/**
 * The invitation of a link, if whoever sent it may still grant its role. Unknown, used, withdrawn and expired links look alike.
 * @throws AppError invitation_expired
 */
async function activeInvitation(ctx: Ctx, q: Queryable, token: string): Promise<Invitation> {
  const invitation = await invitationByToken(q, hashInvitation(ctx, token), ctx.clock.now())
  const inviter = invitation && (await findMembership(q, invitation.merchantId, invitation.invitedBy))
  if (!inviter || !mayGrant(inviter, invitation)) throw new AppError('invitation_expired')
  return invitation
}

/** The invitation as the holder of its link sees it; the holder may be somebody else than the invited person. */
export async function showInvitation(
  ctx: Ctx,
  namesOf: ApplicationNames,
  token: string,
): Promise<ShownInvitation> {
  const q = ctx.db.kysely
  const invitation = await activeInvitation(ctx, q, token)
  const { merchantId, invitedBy, email, role, applications, expiresAt } = invitation
  const names = applications === null ? new Map() : await namesOf(merchantId)
  return {
    merchant: (await merchantProfile(q, merchantId)).fullname,
    invitedBy: await findFullname(q, invitedBy),
    email: maskedEmail(email),
    role,
    applications: applications?.map((id) => names.get(id) ?? '') ?? null,
    expiresAt: expiresAt.toISOString(),
    hasAccount: await isEmailTaken(q, email),
  }
}

/** "c•••@example.com". */
export const maskedEmail = (email: string): string => {
  const [first = ''] = email
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`
}

/**
 * Accepts an invitation with a session of the invited email.
 * @throws AppError invitation_expired, invitation_of_another
 */
export async function acceptInvitation(
  ctx: Ctx,
  actor: Actor,
  personId: PersonId,
  token: string,
  confirm: (tx: Tx) => Promise<void>,
): Promise<Joined> {
  return ctx.db.tx(async (tx) => {
    await confirm(tx)
    const invitation = await activeInvitation(ctx, tx, token)
    const account = await findAccount(tx, personId)
    if (account.canonicalEmail !== (await canonicalEmail(tx, invitation.email)))
      throw new AppError('invitation_of_another', {
        detail: `This invitation is for ${maskedEmail(invitation.email)}`,
      })
    return join(ctx, tx, actor, invitation, { personId, fullname: account.fullname })
  })
}

/**
 * Accepts an invitation as a new person. The link was mailed to the address, so the address is proven.
 * @throws AppError invitation_expired, email_taken, validation_failed
 */
export async function joinByInvitation(
  ctx: Ctx,
  { token, fullname, password }: { token: string; fullname: string; password: string },
  from: { address: string; requestId: string },
): Promise<Joined> {
  const { email } = await activeInvitation(ctx, ctx.db.kysely, token)
  await refuseCommonPassword('password', password)
  refuseOwnWords('password', password, { fullname, email, phone: '' })
  if (await isEmailTaken(ctx.db.kysely, email)) throw new AppError('email_taken')
  const passwordHash = await hashPassword(ctx, password)
  const personId = ctx.ids.next(PersonId)
  try {
    return await ctx.db.tx(async (tx) => {
      const invitation = await activeInvitation(ctx, tx, token)
      const createdAt = ctx.clock.now()
      await insertPerson(tx, { personId, fullname, email, passwordHash, locale: null, createdAt })
      await proveAccount(tx, personId)
      return join(ctx, tx, visitorActor(from), invitation, { personId, fullname })
    })
  } catch (error) {
    throw violatedConstraint(error) === 'persons_email' ? new AppError('email_taken') : error
  }
}

async function join(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  invitation: Invitation,
  { personId, fullname }: { readonly personId: PersonId; readonly fullname: string },
): Promise<Joined> {
  const { merchantId, role, applications, invitedBy } = invitation
  await lockTeam(tx, merchantId)
  // The inviter may have lost the right while this transaction waited for the lock.
  const inviter = await findMembership(tx, merchantId, invitedBy)
  const now = ctx.clock.now()
  if (!inviter || !mayGrant(inviter, invitation) || !(await endInvitation(tx, invitation, now)))
    throw new AppError('invitation_expired')
  const merchant = await merchantProfile(tx, merchantId)
  const joined = { merchant: { id: merchantId, name: merchant.fullname }, role }
  if (await findMembership(tx, merchantId, personId)) return joined
  await insertMembership(tx, { merchantId, personId, role, applications, createdAt: now })
  await audit(ctx, tx, actor, {
    action: 'team.joined',
    subject: personId,
    accountId: merchantId,
    details: { invitation: invitation.id, role, applications },
  })
  await ctx.mailer.send(tx, memberJoinedMail(merchant, { fullname, role }))
  return joined
}
