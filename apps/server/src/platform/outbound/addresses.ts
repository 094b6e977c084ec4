import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

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
