import {
  type ChargeRequest,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type Reply,
} from '../connector.ts'
import { pathBelow } from '../provider-address.ts'
import { chargeCall, traceCall } from './bodies.ts'
import type { PaynowAccount } from './client.ts'
import { toChargeReply, toLookupReply } from './mapping.ts'

export async function startCharge(
  { config, client, owners }: PaynowAccount,
  request: ChargeRequest,
): Promise<Reply> {
  const owner = owners.find(({ currency }) => currency === request.amount.currency)
  if (!owner)
    throw new ProviderError('invalid', `Paynow has no integration for ${request.amount.currency}`, {
      neverSent: true,
    })
  const text = await client.send(request.accountId, chargeCall(config, owner, request))
  return toChargeReply(text, owner, request)
}

export async function lookupCharge(
  { config, client, owners }: PaynowAccount,
  request: LookupRequest,
): Promise<Reply | NotFound> {
  const path = pathBelow(config.baseUrl, request.state?.pollUrl)
  // Each currency has an integration of its own, which finds its own charges only. The check of credentials asks each one.
  const known = request.state?.currency ?? request.currency
  const candidates = owners.filter(({ currency }) => currency === (known ?? currency))
  for (const owner of candidates) {
    const call = path === null ? traceCall(owner, request.key) : { path, text: '' }
    const reply = toLookupReply(await client.lookUp(request.accountId, call), owner, request)
    if (reply.kind === 'reply') return reply
  }
  if (candidates.length === 0)
    throw new ProviderError('invalid', 'Paynow lost the integration of this charge')
  return { kind: 'not_found' }
}
