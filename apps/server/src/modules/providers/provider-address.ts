import { isLoopback } from '../../platform/http/network.ts'
import { bareHost } from '../../platform/outbound/targets.ts'
import { address } from '../../platform/settings.ts'
import type { Place } from './account-settings.ts'

/**
 * The address of a provider. Calls contain the account's credentials, so production requires TLS; a tunnel that begins on this machine is
 * the operator's concern.
 */
export const providerAddress = ({ isProduction }: Pick<Place, 'isProduction'>) =>
  address('https:', 'http:').refine(
    (url) => !isProduction || url.startsWith('https:') || isLoopback(bareHost(new URL(url).hostname)),
    'must start with https:// in production, unless it is on this machine',
  )

/** An address at which a payer enters a card or approves a payment: encrypted, or the simulator's on this machine. */
export function isPayerPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(bareHost(hostname)))
}

/** The path of an address below the provider's base address; null for an address elsewhere, which the gateway does not call. */
export function pathBelow(baseUrl: string, url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  const base = new URL(baseUrl)
  const root = base.pathname.replace(/\/+$/, '')
  const { origin, pathname, search } = new URL(url)
  const isOurs = origin === base.origin && pathname.startsWith(`${root}/`)
  return isOurs ? pathname.slice(root.length) + search : null
}
