import type { ChargeRequest, LookupRequest, NotFound, Reply } from '../../src/modules/providers/connector.ts'
import { hasBody } from '../../src/modules/providers/json.ts'
import { chargeBody } from './bodies.ts'
import type { SampleAccount } from './client.ts'
import { toReply } from './mapping.ts'
import { callError } from './refusals.ts'
import { SampleCharge } from './wire.ts'

export async function startCharge({ client }: SampleAccount, request: ChargeRequest): Promise<Reply> {
  const answer = await client.post(request.accountId, '/charges', chargeBody(request))
  if (!hasBody(answer)) throw callError(answer)
  return toReply(SampleCharge.parse(answer.body), request.key)
}

export async function lookupCharge(
  { client }: SampleAccount,
  { accountId, key }: LookupRequest,
): Promise<Reply | NotFound> {
  const answer = await client.get(accountId, `/charges/${encodeURIComponent(key)}`)
  // A page of HTML with this status comes from a proxy in front of the provider.
  if (answer.status === 404 && answer.body !== null) return { kind: 'not_found' }
  if (!hasBody(answer)) throw callError(answer)
  return toReply(SampleCharge.parse(answer.body), key)
}
