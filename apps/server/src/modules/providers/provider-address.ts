import { isLoopback } from '../../platform/http/network.ts'
import { bareHost } from '../../platform/outbound/targets.ts'
import { address, type Deployment } from '../../platform/settings.ts'

/**
 * The address of a provider. Calls contain the account's credentials, so production requires TLS; a tunnel that begins on this machine is
 * the operator's concern.
 */
export const providerAddress = ({ mode }: Pick<Deployment, 'mode'>) =>
  address('https:', 'http:').refine(
    (url) => mode !== 'production' || url.startsWith('https:') || isLoopback(bareHost(new URL(url).hostname)),
    'must start with https:// in production, unless it is on this machine',
  )
