import { type Permission, permissionsOf, type Role } from '@muripo/contract/permissions'
import { AppError } from '../../../platform/errors.ts'

/** @throws AppError not_permitted, whose detail names the missing permission */
export function requirePermission({ role }: { readonly role: Role }, permission: Permission): void {
  if (!permissionsOf[role].has(permission)) throw notPermitted(permission)
}

export const notPermitted = (permission: Permission): AppError =>
  new AppError('not_permitted', { detail: `Your role lacks the permission ${permission}` })
