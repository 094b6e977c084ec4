import { z } from 'zod'
import { Tokens } from './auth.ts'
import { joinFields, signInFields } from './auth-fields.ts'
import { ApplicationId, InvitationId, KeyId, MerchantId, PersonId, WebhookId } from './ids.ts'
import { type Role, roles } from './permissions.ts'
import { route } from './route.ts'
import { bounded, choiceOf, Email, fieldText, optional, PathId, Timestamp } from './text.ts'

export const teamTexts = {
  roleMissing: 'Please select a role',
  applicationsMissing: 'Please select at least one application',
} as const

/** An open invitation is good for this time. */
export const INVITATION_DAYS = 7
export const OPEN_INVITATIONS_MAX = 50
/** Members with open invitations, so that each list of a team is one answer. */
export const TEAM_MAX = 200
/** Both sides of a hand-over confirm it within this time. */
export const HAND_OVER_HOURS = 72
const APPLICATIONS_MAX = 50

/** The roles of an invitation: the owner is handed over. */
export const grantedRoles = roles.filter((role): role is GrantedRole => role !== 'owner') as [
  GrantedRole,
  ...GrantedRole[],
]
export type GrantedRole = Exclude<Role, 'owner'>

const GrantedRole = choiceOf(grantedRoles, teamTexts.roleMissing)
const LimitedTo = z
  .array(PathId)
  .min(1, teamTexts.applicationsMissing)
  .max(APPLICATIONS_MAX)
  .nullable()
  .meta({ description: 'The applications to which the role is limited; null or absent for all' })

const limit = z.array(ApplicationId).nullable()

export const TeamMember = z.object({
  id: PersonId,
  email: z.string(),
  fullname: z.string(),
  role: z.enum(roles),
  applications: limit,
  lastSeenAt: Timestamp.nullable(),
  secondFactor: z.boolean().meta({ description: 'Whether the person has an authenticator app or a passkey' }),
  passkey: z.boolean().meta({ description: 'Whether the person has a passkey' }),
})
export type TeamMember = z.infer<typeof TeamMember>

export const Invitation = z.object({
  id: InvitationId,
  email: z.string(),
  role: z.enum(grantedRoles),
  applications: limit,
  expiresAt: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>

/** A member has this time to add what is required, from the requirement or from joining on. */
export const SECOND_FACTOR_GRACE_DAYS = 7

export const TeamPolicy = z.object({
  requireSecondFactor: z.boolean().meta({
    description: `Whether each member needs an authenticator app or a passkey, ${SECOND_FACTOR_GRACE_DAYS} days after the requirement or after joining`,
  }),
  requiredSince: Timestamp.nullable(),
  requirePasskey: z.boolean().meta({
    description: `Whether each member needs a passkey, ${SECOND_FACTOR_GRACE_DAYS} days after the requirement or after joining`,
  }),
  passkeyRequiredSince: Timestamp.nullable(),
})
export type TeamPolicy = z.infer<typeof TeamPolicy>

export const Team = z.object({
  members: z.array(TeamMember),
  invitations: z.array(Invitation),
  handOver: z
    .object({ to: PersonId, expiresAt: Timestamp })
    .nullable()
    .meta({ description: 'The hand-over that the owner has started and the next owner has not confirmed' }),
  policy: TeamPolicy,
})
export type Team = z.infer<typeof Team>

export const getTeam = route({
  method: 'GET',
  path: '/team',
  access: 'team.read',
  summary: 'The members of the merchant, the owner first, and the open invitations',
  reply: { 200: Team },
  errors: ['session_invalid'],
})

export const changePolicy = route({
  method: 'PATCH',
  path: '/team/policy',
  access: 'team.write',
  stepUp: true,
  summary: 'Require a second factor or a passkey of every member, or end a requirement',
  body: z.strictObject({
    requireSecondFactor: optional(z.boolean()),
    requirePasskey: optional(z.boolean()),
  }),
  reply: { 200: TeamPolicy },
  errors: ['session_invalid', 'merchant_not_active', 'validation_failed', 'rate_limited'],
})

export const inviteMember = route({
  method: 'POST',
  path: '/team/invitations',
  access: 'team.write',
  stepUp: true,
  summary: 'Invite a person by email; an open invitation of the same email is replaced',
  body: z.strictObject({ email: Email, role: GrantedRole, applications: optional(LimitedTo) }),
  reply: { 201: Invitation },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'already_member',
    'invitation_limit_reached',
    'rate_limited',
  ],
})

export const revokeInvitation = route({
  method: 'DELETE',
  path: '/team/invitations/:invitationId',
  access: 'team.write',
  summary: 'Withdraw an open invitation',
  params: z.object({ invitationId: PathId }),
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'merchant_not_active', 'not_found'],
})

const MemberParams = z.object({ memberId: PathId })

const ofApplication = z.object({ id: ApplicationId, name: z.string() })

/** The keys and endpoints that a person made in the dashboard and that still work after the person has left. */
export const MadeByMember = z.object({
  keys: z.array(z.object({ id: KeyId, name: z.string(), application: ofApplication })),
  endpoints: z.array(z.object({ id: WebhookId, url: z.string(), application: ofApplication })),
})
export type MadeByMember = z.infer<typeof MadeByMember>

export const changeMember = route({
  method: 'PATCH',
  path: '/team/members/:memberId',
  access: 'team.write',
  stepUp: true,
  summary: 'Change the role of a member, or the applications to which it is limited',
  params: MemberParams,
  body: z.strictObject({ role: optional(GrantedRole), applications: LimitedTo.optional() }),
  reply: { 200: TeamMember },
  errors: ['session_invalid', 'merchant_not_active', 'validation_failed', 'not_found', 'rate_limited'],
})

export const removeMember = route({
  method: 'DELETE',
  path: '/team/members/:memberId',
  access: 'person',
  stepUp: true,
  summary:
    'Remove a member, or leave the team; the sessions of the member end. The keys and endpoints that the member made still work',
  params: MemberParams,
  reply: { 200: MadeByMember },
  errors: ['session_invalid', 'not_found', 'not_permitted', 'owner_cannot_leave'],
  protectsAccount: true,
})

export const startHandOver = route({
  method: 'POST',
  path: '/team/owner',
  access: 'person',
  summary:
    'Hand the ownership over to a member, who confirms it within three days; the owner becomes an admin',
  body: z.strictObject({ memberId: PathId, password: fieldText(signInFields.password) }),
  reply: { 200: Team },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'not_permitted',
    'rate_limited',
  ],
})

export const cancelHandOver = route({
  method: 'DELETE',
  path: '/team/owner',
  access: 'person',
  summary: 'Withdraw or decline the hand-over of the ownership',
  reply: { 204: z.undefined() },
  errors: ['session_invalid', 'not_found', 'not_permitted'],
  protectsAccount: true,
})

export const confirmHandOver = route({
  method: 'POST',
  path: '/team/owner/confirm',
  access: 'person',
  stepUp: true,
  summary: 'Confirm the hand-over as the next owner',
  reply: { 200: Team },
  errors: ['session_invalid', 'merchant_not_active', 'not_found'],
})

/** 32 random bytes as base64url. */
const InvitationToken = bounded(64)

/** The invitation as the holder of its link sees it before accepting it. */
export const ShownInvitation = z.object({
  merchant: z.string(),
  invitedBy: z.string(),
  email: z.string().meta({ description: 'The invited address, masked' }),
  role: z.enum(grantedRoles),
  applications: z.array(z.string()).nullable().meta({ description: 'The names of the applications' }),
  expiresAt: Timestamp,
  hasAccount: z.boolean().meta({ description: 'Whether the invited address can sign in already' }),
})
export type ShownInvitation = z.infer<typeof ShownInvitation>

export const showInvitation = route({
  method: 'POST',
  path: '/invitations/show',
  access: 'anyone',
  summary: 'What an invitation offers',
  body: z.strictObject({ token: InvitationToken }),
  reply: { 200: ShownInvitation },
  errors: ['validation_failed', 'invitation_expired', 'rate_limited'],
})

const Joined = z.object({
  merchant: z.object({ id: MerchantId, name: z.string() }),
  role: z.enum(grantedRoles),
})

export const acceptInvitation = route({
  method: 'POST',
  path: '/invitations/accept',
  access: 'person',
  summary: 'Accept an invitation, with a session of the invited email',
  body: z.strictObject({ token: InvitationToken }),
  reply: { 200: Joined },
  errors: [
    'session_invalid',
    'validation_failed',
    'invitation_expired',
    'invitation_of_another',
    'rate_limited',
  ],
  protectsAccount: true,
})

export const joinByInvitation = route({
  method: 'POST',
  path: '/invitations/join',
  access: 'anyone',
  summary: 'Accept an invitation as a new person, who then signs in with the invited email and this password',
  body: z.strictObject({
    token: InvitationToken,
    fullname: fieldText(joinFields.fullname),
    password: fieldText(joinFields.password),
  }),
  reply: { 201: Joined },
  errors: ['validation_failed', 'invitation_expired', 'email_taken', 'rate_limited'],
})

export const MerchantOfPerson = z.object({
  id: MerchantId,
  name: z.string(),
  role: z.enum(roles),
  current: z.boolean().meta({ description: 'Whether the session is for this merchant' }),
})
export type MerchantOfPerson = z.infer<typeof MerchantOfPerson>

export const listMerchants = route({
  method: 'GET',
  path: '/account/merchants',
  access: 'person',
  summary: 'The merchants of the person, that of the session first',
  reply: { 200: z.object({ merchants: z.array(MerchantOfPerson) }) },
  errors: ['session_invalid'],
})

export const switchMerchant = route({
  method: 'POST',
  path: '/account/merchant',
  access: 'person',
  summary: 'Open a session for another merchant of the person; the session of the call ends',
  body: z.strictObject({ merchantId: PathId }),
  reply: { 200: Tokens },
  errors: ['session_invalid', 'validation_failed', 'not_found', 'rate_limited'],
  protectsAccount: true,
})
