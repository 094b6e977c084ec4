import {
  type ChargeRequest,
  type LookupRequest,
  type NotFound,
  type ProviderState,
  phoneOf,
  type RefundRequest,
  type Reply,
} from '../connector.ts'
import { hasBody } from '../json.ts'
import { chargeBody } from './bodies.ts'
import type { EcocashAccount } from './client.ts'
import { toReply } from './mapping.ts'
import { isNotFound, lookupError, moneyCallError } from './refusals.ts'
import { AmountTransaction, isAllNull } from './wire.ts'

export async function startCharge(account: EcocashAccount, request: ChargeRequest): Promise<Reply> {
  const body = chargeBody(account.config, request)
  const state = { shopName: request.shopName }
  return moveMoney(account, request, { call: 'charge', path: '/transactions/amount', body, state })
}

interface MoneyCall {
  readonly call: 'charge' | 'refund'
  readonly path: string
  readonly body: object
  /** The state of the reply. */
  readonly state: ProviderState
}

/** Sends a charge or a refund. */
export async function moveMoney(
  { config, client }: EcocashAccount,
  { accountId, key }: ChargeRequest | RefundRequest,
  { call, path, body, state }: MoneyCall,
): Promise<Reply> {
  const answer = await client.post(accountId, path, body)
  if (!hasBody(answer) || isAllNull(answer.body)) throw moneyCallError(answer, call)
  return toReply(config, AmountTransaction.parse(answer.body), { key, state })
}

/** Looks up a charge or a refund, both by their key. */
export async function lookupTransaction(
  { config, client }: EcocashAccount,
  request: LookupRequest,
): Promise<Reply | NotFound> {
  const { accountId, key, state } = request
  const path = `/${encodeURIComponent(phoneOf(request))}/transactions/amount/${encodeURIComponent(key)}`
  const answer = await client.get(accountId, path)
  if (isNotFound(answer)) return { kind: 'not_found' }
  if (!hasBody(answer) || isAllNull(answer.body)) throw lookupError(answer)
  return toReply(config, AmountTransaction.parse(answer.body), { key, state: state ?? {} })
}
