import {
  type ChargeRequest,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type Reply,
  unpayable,
} from '../connector.ts'
import { hasBody } from '../json.ts'
import { generateBody, inquiryBody } from './bodies.ts'
import type { InnbucksAccounts } from './client.ts'
import { innbucksCurrencies } from './config.ts'
import { isApproved, plainCode, readState, toIssued, toReply } from './mapping.ts'
import { generateError, inquiryError, NOT_LOCATED } from './refusals.ts'
import { CodeReply } from './wire.ts'

/** Requests a code, which the payer pays in the app. */
export async function startCharge({ clients }: InnbucksAccounts, request: ChargeRequest): Promise<Reply> {
  const { accountId, amount } = request
  const currency = innbucksCurrencies.find((each) => each === amount.currency)
  const client = clients.get(amount.currency)
  if (currency === undefined || client === undefined)
    throw new ProviderError('invalid', `InnBucks does not take ${amount.currency}`, { neverSent: true })
  const answer = await client.generate(accountId, generateBody(request)).catch((error: unknown) => {
    throw unpayable(error)
  })
  const reply = hasBody(answer) ? toIssued(CodeReply.parse(answer.body), { ...amount, currency }) : null
  if (reply === null) throw generateError(answer)
  return reply
}

export async function lookupCharge(
  { clients, clock }: InnbucksAccounts,
  { accountId, state }: LookupRequest,
): Promise<Reply | NotFound> {
  const issued = readState(state)
  if (issued === null) return { kind: 'not_found' }
  const client = clients.get(issued.currency)
  if (client === undefined)
    throw new ProviderError('invalid', `InnBucks has no account in ${issued.currency}`, { neverSent: true })
  const answer = await client.inquire(accountId, inquiryBody(issued))
  if (!hasBody(answer)) throw inquiryError(answer)
  const body = CodeReply.parse(answer.body)
  if (plainCode(body.responseCode) === NOT_LOCATED) return { kind: 'not_found' }
  if (!isApproved(body.responseCode)) throw inquiryError(answer)
  return toReply(body, issued, clock.now())
}
