import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type ReasonWithText, reasonOf } from '@muripo/locales/errors'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

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

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Addresses for protocols and not for machines, including those with an assignment of their own. */
const assignments = ipaddr.parseCIDR('2001::/23')

/**
 * Whether an address belongs to one machine on the public network. An address that contains an IPv4 address (mapped, 6to4, Teredo, NAT64)
 * is refused in any case: no endpoint needs one.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address.match(globalUnicast) && !address.match(assignments))
}

/** Returns every address of a name; throws when the list may be incomplete. */
export type Resolve = (host: string) => Promise<string[]>

/** Resolves like this machine, with its hosts file: for development. */
export const resolveHere: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Resolves by the name servers. A hosts file could name private machines. */
export function nameServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (host) => {
    const families = await Promise.all([none(resolver.resolve4(host)), none(resolver.resolve6(host))])
    return families.flat()
  }
}

/** A name may have addresses of one family only. Any other error leaves the addresses unknown. */
const none = (answer: Promise<string[]>): Promise<string[]> =>
  answer.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })
