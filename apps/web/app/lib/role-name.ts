import english from 'virtual:texts/roleNames/en'
import type { Role } from '@muripo/contract/permissions'
import type { roleNames } from '@muripo/locales/roles'
import { usePageText } from './page-text.ts'

const keys = {
  owner: 'roleOwner',
  admin: 'roleAdmin',
  developer: 'roleDeveloper',
  finance: 'roleFinance',
  support: 'roleSupport',
  cashier: 'roleCashier',
  viewer: 'roleViewer',
} as const satisfies Readonly<Record<Role, keyof typeof roleNames>>

/** Returns the name of a role in the page's language. */
export function useRoleName(): (role: Role) => string {
  const t = usePageText<typeof roleNames>(english)
  return (role) => t(keys[role])
}
