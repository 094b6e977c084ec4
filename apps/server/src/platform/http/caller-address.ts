import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { addressOf } from './network.ts'
import { trustIn } from './trusted-proxies.ts'

/**
 * Makes `request.ip` one written form of an address, whatever a proxy wrote: it is counted, stored and mailed. The first forwarded header
 * without a trusted proxy is logged, because it means that all callers of a proxy share the limits of the proxy's address.
 */
export function nameCallers(app: FastifyInstance, config: Config, log: Log): void {
  const trust = trustIn(config.trustedProxies)
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
