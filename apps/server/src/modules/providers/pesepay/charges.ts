import {
  type ChargeRequest,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type Reply,
  unpayable,
} from '../connector.ts'
import { pageBody, walletBody } from './bodies.ts'
import type { PesepayAccount } from './client.ts'
import { type Wallet, walletOf } from './config.ts'
import { statusPath, toInitiated, toLookupReply, toStarted } from './mapping.ts'
import { errorOf } from './refusals.ts'

export function startCharge(account: PesepayAccount, request: ChargeRequest): Promise<Reply> {
  const wallet = walletOf(request.method)
  return wallet === null ? chargeAtPage(account, request) : chargeWallet(account, request, wallet)
}

async function chargeAtPage({ config, client }: PesepayAccount, request: ChargeRequest): Promise<Reply> {
  const body = pageBody(config, request)
  const answer = await client
    .send(request.accountId, '/v1/payments/initiate', body)
    .catch((error: unknown) => {
      throw unpayable(error)
    })
  const reply = answer.payment && toInitiated(answer.payment, config.baseUrl)
  if (reply === null) throw errorOf(answer, 'payment', 'unavailable')
  return reply
}

async function chargeWallet(
  { config, client }: PesepayAccount,
  request: ChargeRequest,
  wallet: Wallet,
): Promise<Reply> {
  // The subscriber of a prompt can pay without the answer. A code is in the answer only.
  const isPush = wallet === 'ecocash'
  const body = walletBody(config, request, wallet)
  const answer = await client
    .send(request.accountId, '/v2/payments/make-payment', body)
    .catch((error: unknown) => {
      throw isPush ? error : unpayable(error)
    })
  const reply = answer.payment && toStarted(answer.payment, wallet, config.baseUrl)
  if (reply === null) throw errorOf(answer, 'payment', isPush ? 'unknown' : 'unavailable')
  return reply
}

export async function lookupCharge(
  { config, client }: PesepayAccount,
  request: LookupRequest,
): Promise<Reply | NotFound> {
  // Pesepay finds a payment by its own reference only. Without the reply that contained it, no payer has seen the page.
  if (request.state === null && request.msisdn === null) return { kind: 'not_found' }
  // The subscriber may have paid, and only an operator can find out.
  if (request.state === null) throw new ProviderError('unknown', 'The reference of this charge is lost')
  const path = statusPath(request.state, config.baseUrl)
  if (path === null) throw new ProviderError('unknown', 'The status of this charge is not at this address')
  const answer = await client.get(request.accountId, path)
  if (answer.payment === null) throw errorOf(answer, 'look-up', 'unknown')
  return toLookupReply(answer.payment, request)
}
