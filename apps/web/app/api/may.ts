import type { Account } from '@muripo/contract/account'
import type { Permission } from '@muripo/contract/permissions'
import { useAccount } from './account.ts'

/** The permissions that concern the whole merchant: a role that is limited to some applications does not have them. */
export const ofWholeMerchant: readonly Permission[] = [
  'stats.read',
  'customers.read',
  'balance.read',
  'team.read',
  'team.write',
  'merchant.write',
  'audit.read',
]

type Member = Pick<Account, 'permissions' | 'applications'>

export const isLimited = ({ applications }: Member): boolean => (applications ?? null) !== null

/** Another host than Muripo's names no permissions: its server alone decides. */
export const may = (member: Member, permission: Permission): boolean =>
  (member.permissions?.includes(permission) ?? true) &&
  !(isLimited(member) && ofWholeMerchant.includes(permission))

/** Whether the person may do it. Until the account is loaded nothing is hidden, so that the page does not move; the server decides anyway. */
export function useMay(permission: Permission): boolean {
  const { data: account } = useAccount()
  return account === undefined || may(account, permission)
}

/** The same for what concerns all applications. */
export function useMayForAll(permission: Permission): boolean {
  const { data: account } = useAccount()
  return account === undefined || (may(account, permission) && !isLimited(account))
}
