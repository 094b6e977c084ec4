import { compile } from '@fastify/proxy-addr'
import { readAddress } from './network.ts'

/**
 * A number of proxies before this process, whatever their addresses; or the proxies by address or network (`10.0.0.0/8`), which is safer.
 */
export type TrustedProxies = number | readonly string[]

type Trust = (address: string, hop: number) => boolean

/** The proxies that may name the caller's address, host and protocol. */
export function trustIn(proxies: TrustedProxies): Trust | false {
  if (proxies === 0) return false
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  const isListed = compile([...proxies])
  return (named, hop) => {
    // Some proxies add a port to the address of the proxy before them, which the library does not parse.
    const address = readAddress(named)
    return address !== null && isListed(address, hop)
  }
}

export function isProxy(text: string): boolean {
  try {
    compile(text)
    return true
  } catch {
    return false
  }
}
