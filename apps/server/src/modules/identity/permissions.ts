import type { ConsolePermission } from '@muripo/contract/console-permissions'
import type { ApplicationId } from '@muripo/contract/ids'
import { type Permission, permissionsOf, type Role } from '@muripo/contract/permissions'
import type { RouteSpec } from '@muripo/contract/route'
import { AppError } from '../../platform/errors.ts'

export interface Member {
  readonly role: Role
  /** The applications to which the membership is limited; null when it is not limited. */
  readonly applications: readonly ApplicationId[] | null
}

/**
 * A member has no permission of the console.
 * @throws AppError not_permitted, whose detail names the missing permission
 */
export function requirePermission(
  { role }: Pick<Member, 'role'>,
  permission: Permission | ConsolePermission | 'operator',
): void {
  const held: ReadonlySet<string> = permissionsOf[role]
  if (!held.has(permission)) throw notPermitted(`Your role lacks the permission ${permission}`)
}

/**
 * Refuses a call that the member may not make.
 * @param params of the path
 * @throws AppError not_permitted; not_found for an application to which the membership is not limited
 */
export function requireAccess(
  member: Member,
  { access, perApplication }: Pick<RouteSpec, 'access' | 'perApplication'>,
  params: unknown,
): void {
  if (access === 'person' || access === 'anyone') return
  requirePermission(member, access)
  if (member.applications === null) return
  if (!perApplication)
    throw notPermitted('Your role is limited to some applications, and this concerns all of them')
  const { applicationId } = params as { readonly applicationId?: string }
  if (applicationId !== undefined && !member.applications.some((each) => each === applicationId))
    throw new AppError('not_found')
}

export const notPermitted = (detail: string): AppError => new AppError('not_permitted', { detail })
