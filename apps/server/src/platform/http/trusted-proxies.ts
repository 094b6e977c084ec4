import { BlockList, isIP } from 'node:net'
import { readAddress } from './network.ts'

/** So many hops before this process, whoever they are; or the proxies by address or network (`10.0.0.0/8`), which is safer. */
export type TrustedProxies = number | readonly string[]

type Trust = (address: string, hop: number) => boolean

/** Whose word about the caller's address, host and protocol counts. Without a proxy nobody's does. */
export function trustIn(proxies: TrustedProxies): Trust | false {
  if (proxies === 0) return false
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  const list = listOf(proxies)
  return (named) => {
    // Some proxies write a port behind the address of the proxy before them.
    const address = readAddress(named)
    return address !== null && list.check(address, familyOf(address))
  }
}

export function isProxy(text: string): boolean {
  try {
    listOf([text])
    return true
  } catch {
    return false
  }
}

function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, familyOf(address))
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
