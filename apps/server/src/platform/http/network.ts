import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const ADDRESS_MAX_LENGTH = 64

/**
 * Reads an address as a proxy or a socket writes it: without a port, brackets or a zone, and an IPv4 address in IPv6 form as IPv4.
 * @returns null when the text is not an address
 */
export function readAddress(text: string): string | null {
  if (text.length > ADDRESS_MAX_LENGTH) return null
  const trimmed = text.trim()
  const bare =
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed
  const address = bare.replace(/%.*$/, '')
  // The library also reads other forms, such as 127.1 and 0x7f000001.
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}

/** The address of a call; an unreadable header of a proxy leaves the address of the proxy. */
export const addressOf = (named: string | undefined, socketAddress: string | undefined): string =>
  readAddress(named ?? '') ?? readAddress(socketAddress ?? '') ?? '0.0.0.0'

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1'
}

/** The address at which this machine reaches a server that listens on a host. */
export function httpUrl(host: string, port: number): string {
  const isOfThisMachine = isLoopback(host) || host === '0.0.0.0' || host === '::'
  return `http://${isOfThisMachine ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** A range of addresses that one subscriber may have. */
export interface Network {
  /** Such as `2001:db8:1:2::/64`; an IPv4 address alone has no suffix. */
  readonly name: string
  /** The suffix of the limits' names, empty for the smallest network. */
  readonly suffix: string
  /** The network's quota, as a multiple of the quota of one address. */
  readonly share: number
}

const ipv6Networks = [
  { bits: 64, suffix: '', share: 1 },
  { bits: 56, suffix: '-56', share: 4 },
  { bits: 48, suffix: '-48', share: 16 },
] as const

/** More than any honest network of 256 addresses needs, and too few to fill a disk from a rented network. */
const IPV4_NETWORK_SHARE = 10

/**
 * The networks of an address, the smallest first. An IPv6 subscriber has a /64 at least, often a /56 and sometimes a /48, and must not have
 * a quota for each address. An IPv4 subscriber has one address or shares one.
 * @param options ipv4Networks: also the IPv4 /24, for calls that a network of 256 addresses need not make often
 */
export function networksOf(address: string, options: { ipv4Networks?: boolean } = {}): readonly Network[] {
  const known = readAddress(address)
  if (known === null) return [{ name: 'unknown', suffix: '', share: 1 }]
  if (isIP(known) === 6)
    return ipv6Networks.map(({ bits, ...network }) => ({ name: rangeOf(known, bits), ...network }))
  const own = { name: known, suffix: '', share: 1 }
  const network = { name: ipv4NetworkOf(known), suffix: '-24', share: IPV4_NETWORK_SHARE }
  return options.ipv4Networks ? [own, network] : [own]
}

/** The widest network that one subscriber may have: an IPv4 /24 or an IPv6 /48. */
export const widestNetworkOf = (address: string): string =>
  networksOf(address, { ipv4Networks: true }).at(-1)?.name ?? 'unknown'

const rangeOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`

const ipv4NetworkOf = (address: string): string => `${address.replace(/\.\d+$/, '.0')}/24`

/** An address without the part that identifies a subscriber: "203.0.113.x", "2001:db8:85a3::". */
export function coarse(address: string): string {
  const known = readAddress(address)
  if (known === null) return 'unknown'
  return isIP(known) === 4 ? known.replace(/\d+$/, 'x') : rangeOf(known, 48).replace(/\/48$/, '')
}
