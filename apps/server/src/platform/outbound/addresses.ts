import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** For protocols and not for machines, whatever of it has been given a name of its own. */
const assignments = ipaddr.parseCIDR('2001::/23')

/**
 * Whether an address is that of one machine on the public network. What carries an IPv4 address inside (mapped, 6to4, Teredo, NAT64) is
 * refused whatever it carries: nobody needs it to be reached.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address.match(globalUnicast) && !address.match(assignments))
}
