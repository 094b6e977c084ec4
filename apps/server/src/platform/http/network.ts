import { isIPv6 } from 'node:net'

/** An IPv6 subscriber has a whole /64, and would have as many limits; an IPv4 address in IPv6 writing is still that address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.toLowerCase().split('%')[0] ?? '').split('::')
  const v4 = /^(?:::ffff:)(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4) return v4
  const before = head.split(':').filter((group) => group !== '')
  const after = tail.split(':').filter((group) => group !== '')
  // A dotted tail stands for two groups.
  const tailLength = after.length + (tail.includes('.') ? 1 : 0)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - tailLength) }, () => '0')
  const groups = [...before, ...(address.includes('::') ? zeros : []), ...after]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** Where an address is, without saying whose it is: "203.0.113.x", "2001:db8:85a3::". */
export function coarse(address: string): string {
  const network = networkOf(address)
  return isIPv6(address) && network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::`
    : network.replace(/\d+$/, 'x')
}
