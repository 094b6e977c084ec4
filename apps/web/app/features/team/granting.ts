import type { Account } from '@muripo/contract/account'
import { permissionsOf, roles } from '@muripo/contract/permissions'
import type { GrantedRole, Team, TeamMember } from '@muripo/contract/team'

/** The person among the members. */
export const ownMember = (team: Team, { email }: Pick<Account, 'email'>): TeamMember | undefined =>
  team.members.find((member) => member.email === email)

/** The owner is handed over, and does not leave. */
export const isOwner = ({ role }: Pick<TeamMember, 'role'>): boolean => role === 'owner'

/** Nobody grants a permission that they do not have, and only the owner makes admins. */
export function rolesToGrant(
  { permissions }: Pick<Account, 'permissions'>,
  me: Pick<TeamMember, 'role'> | undefined,
): readonly GrantedRole[] {
  return roles.filter(
    (role): role is GrantedRole =>
      role !== 'owner' &&
      [...permissionsOf[role]].every((permission) => permissions.includes(permission)) &&
      (role !== 'admin' || (me !== undefined && isOwner(me))),
  )
}
