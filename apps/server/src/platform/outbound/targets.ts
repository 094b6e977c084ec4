import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isPublicAddress } from './addresses.ts'
import { nameServers, type Resolve, resolveHere } from './resolvers.ts'

/** The reason why an address of a merchant is not called. */
export class TargetRefused extends Error {
  readonly code: 'not_found' | 'address_refused'
  constructor(code: TargetRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The addresses of merchants that may be called: of machines on the public network, and never of our own. */
export interface Targets {
  /** The error in an address before any name is resolved, in words for its owner; null when there is none. */
  errorOf(url: URL): string | null
  /**
   * The addresses of a host, all of which may be called.
   * @throws TargetRefused when there are none, when one of them is not public, or when that cannot be known.
   */
  addressesOf(host: string): Promise<readonly string[]>
  mayConnect(address: string): boolean
}

const ports = new Set(['', '443', '8443'])

export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

export function publicTargets(resolve: Resolve = nameServers()): Targets {
  return {
    errorOf(url) {
      if (url.protocol !== 'https:') return 'Must be an https address'
      if (url.username || url.password) return 'Must not contain a user name or a password'
      if (!ports.has(url.port)) return 'Must use port 443 or 8443'
      if (isIP(bareHost(url.hostname))) return 'Must be the name of a host, not a number'
      if (!/\.[^.]+$/.test(url.hostname)) return 'Must be the full name of a public host'
      return null
    },
    async addressesOf(host) {
      const addresses = await resolve(host).catch(() => [])
      if (addresses.length === 0) throw new TargetRefused('not_found', 'This host could not be found')
      if (!addresses.every(isPublicAddress)) {
        throw new TargetRefused('address_refused', 'This host is not on the public network')
      }
      return addresses
    },
    mayConnect: isPublicAddress,
  }
}

/** On a developer's machine every address may be called, because the merchant's server runs there too. */
export function anyTargets(resolve: Resolve = resolveHere): Targets {
  return {
    errorOf(url) {
      if (!/^https?:$/.test(url.protocol)) return 'Must be an http or https address'
      return url.username || url.password ? 'Must not contain a user name or a password' : null
    },
    async addressesOf(host) {
      const addresses = await resolve(host).catch(() => [])
      if (addresses.length === 0) throw new TargetRefused('not_found', 'This host could not be found')
      return addresses
    },
    mayConnect: () => true,
  }
}

export const targetsFor = ({ mode }: Pick<Config, 'mode'>): Targets =>
  mode === 'production' ? publicTargets() : anyTargets()
