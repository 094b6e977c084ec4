import { isIP } from 'node:net'
import type { CreatePayment } from '@muripo/contract/payments'
import type { Config } from '../../../platform/config.ts'
import { invalidField } from '../../../platform/errors.ts'
import { bareHost, isPublicAddress } from '../../../platform/outbound/targets.ts'
import type { KeyOwner } from '../../applications/index.ts'

const fields = ['success_url', 'cancel_url'] as const

/** Names of machines on a private network. */
const privateName = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/

/**
 * Refuses addresses to which a payer must not leave. In production they use https, so that a payer stays on https. A payer of live money does
 * not leave for a machine of a private network, which would be one of the payer's own.
 * @throws AppError validation_failed
 */
export function refuseReturns(
  { mode }: Pick<Config, 'mode'>,
  caller: Pick<KeyOwner, 'mode'>,
  input: Pick<CreatePayment, (typeof fields)[number]>,
): void {
  const isLive = caller.mode === 'live'
  if (mode !== 'production' && !isLive) return
  for (const field of fields) {
    const given = input[field]
    if (given === undefined) continue
    const { protocol, hostname } = new URL(given)
    if (protocol !== 'https:') throw invalidField(field, 'Must be an https address')
    if (isLive && !isPublicHost(bareHost(hostname)))
      throw invalidField(field, 'Must be an address on the public network')
  }
}

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !privateName.test(name)
}
