import type { ChargeRequest, LookupRequest, NotFound, Reply } from '../connector.ts'
import { hasBody, isSuccess } from '../json.ts'
import { chargeBody, lookupBody } from './bodies.ts'
import type { EcocashOpenAccount } from './client.ts'
import { accepted, toReply } from './mapping.ts'
import { callError, isNotFound } from './refusals.ts'
import { Transaction } from './wire.ts'

export async function startCharge(
  { config, client }: EcocashOpenAccount,
  request: ChargeRequest,
): Promise<Reply> {
  const body = chargeBody(config, request)
  const answer = await client.pay(request.accountId, body)
  const state = { shopName: request.shopName }
  if (isSuccess(answer) && answer.isEmpty) return { ...accepted, state }
  if (!hasBody(answer)) throw callError(answer, 'payment')
  return { ...toReply(Transaction.parse(answer.body), body.sourceReference), state }
}

export async function lookupCharge(
  { client }: EcocashOpenAccount,
  request: LookupRequest,
): Promise<Reply | NotFound> {
  const body = lookupBody(request)
  const answer = await client.lookUp(request.accountId, body)
  if (isNotFound(answer)) return { kind: 'not_found' }
  if (!hasBody(answer)) throw callError(answer, 'look-up')
  return { ...toReply(Transaction.parse(answer.body), body.sourceReference), state: request.state ?? {} }
}
