import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import { addressOf, readAddress } from './network.ts'

/**
 * Normalises `request.ip`, which is counted, stored and mailed. The first forwarded header without a trusted proxy is logged, because all
 * callers of such a proxy share the limits of its address.
 */
export function nameCallers(app: FastifyInstance, trustedProxies: TrustedProxies, log: Log): void {
  const trust = trustIn(trustedProxies)
  const isTrusted = (address = '') => trust !== false && trust(address, 0)
  let isLogged = false
  app.addHook('onRequest', (request, _reply, done) => {
    const { remoteAddress } = request.socket
    const address = addressOf(request.ip, remoteAddress)
    if (address !== request.ip) Object.defineProperty(request, 'ip', { value: address })
    if (!isLogged && isForwarded(request.headers) && !isTrusted(remoteAddress)) {
      isLogged = true
      log.warn(
        { from: addressOf(remoteAddress, undefined) },
        'a forwarded address arrived from where TRUSTED_PROXIES trusts nobody: behind a proxy all callers share the limits of one address',
      )
    }
    done()
  })
}

export const isForwarded = (headers: Readonly<Record<string, unknown>>): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

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
