import { isIP } from 'node:net'
import { type ReasonWithText, reasonOf } from '@muripo/locales/errors'
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
  /** The error in an address before any name is resolved, for its owner; null when there is none. */
  errorOf(url: URL): ReasonWithText | null
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
      if (url.protocol !== 'https:') return reasonOf('urlNotHttps')
      if (url.username || url.password) return reasonOf('urlWithPassword')
      if (!ports.has(url.port)) return reasonOf('urlPort')
      if (isIP(bareHost(url.hostname))) return reasonOf('urlNumber')
      if (!/\.[^.]+$/.test(url.hostname)) return reasonOf('urlNotFullName')
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
      if (!/^https?:$/.test(url.protocol)) return reasonOf('urlNotHttp')
      return url.username || url.password ? reasonOf('urlWithPassword') : null
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
