import type { ApplicationId } from '@muripo/contract/ids'
import { permissionsOf, type Role } from '@muripo/contract/permissions'
import type { GrantedRole } from '@muripo/contract/team'
import type { Member } from '../permissions.ts'

export interface Grant {
  readonly role: GrantedRole
  /** Null for all applications. */
  readonly applications: readonly ApplicationId[] | null
}

/** Whether a member may give somebody a role: nobody grants what they do not hold, and only the owner makes admins. */
export function mayGrant(member: Member, { role, applications }: Grant): boolean {
  const own = permissionsOf[member.role]
  const holdsAll = [...permissionsOf[role]].every((permission) => own.has(permission))
  const isWithin =
    member.applications === null || (applications?.every((id) => member.applications?.includes(id)) ?? false)
  return own.has('team.write') && holdsAll && isWithin && (role !== 'admin' || member.role === 'owner')
}

/** Whether a member may change or remove another one of this role. */
export const mayManage = (member: Member, role: Role): boolean =>
  permissionsOf[member.role].has('team.write') &&
  role !== 'owner' &&
  (role !== 'admin' || member.role === 'owner')
