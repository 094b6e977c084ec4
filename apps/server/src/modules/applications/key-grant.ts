import { BlockList, isIP } from 'node:net'
import type { KeyPermission, Permission } from '@muripo/contract/permissions'
import type { RouteSpec } from '@muripo/contract/route'
import { AppError } from '../../platform/errors.ts'

/** The permissions, the networks and the end of a named key. */
export interface KeyGrant {
  readonly permissions: ReadonlySet<Permission>
  readonly expiresAt: Date | null
  isAllowedFrom(address: string): boolean
}

export function createGrant(
  permissions: readonly KeyPermission[],
  allowedAddresses: readonly string[] | null,
  expiresAt: Date | null,
): KeyGrant {
  const allowed = allowedAddresses && blockListOf(allowedAddresses)
  return {
    permissions: new Set(permissions),
    expiresAt,
    isAllowedFrom: (address) => allowed?.check(address, familyOf(address)) ?? true,
  }
}

/** @throws AppError not_permitted, whose detail names the missing permission or the address */
export function requireGrant(
  { permissions, isAllowedFrom }: KeyGrant,
  access: RouteSpec['access'],
  address: string,
): void {
  if (!isAllowedFrom(address)) throw notPermitted(`This key may not be used from the address ${address}`)
  if (access === 'person' || access === 'anyone' || permissions.has(access as Permission)) return
  throw notPermitted(`This key lacks the permission ${access}`)
}

const notPermitted = (detail: string) => new AppError('not_permitted', { detail })

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** An address or a network in the form in which it is stored; null for another text. */
export function normalisedNetwork(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  const family = isIP(address)
  const longest = family === 6 ? 128 : 32
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)
  return family === 0 || !isPrefix || rest.length > 0 ? null : `${address}/${Number(prefix ?? longest)}`
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}
