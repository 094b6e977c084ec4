import type { FormProblem } from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
import { problemOf } from '@muripo/locales/form-problems'
import {
  type ChargeRequest,
  type Connector,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type Reply,
} from '../connector.ts'
import { checkByLookup } from '../credential-check.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { isAmong, refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { pathBelow } from '../provider-address.ts'
import { type PaynowConfig, paynowCurrencies, paynowTestNumbers } from './config.ts'
import { type Owner, toChargeReply, toLookupReply } from './mapping.ts'
import { readMessage } from './messages.ts'
import { chargeCall, traceCall, wallets } from './requests.ts'

export type { PaynowConfig } from './config.ts'

const FORM = 'application/x-www-form-urlencoded'

function refuseOtherWallet(method: PaymentMethod, msisdn: string): FormProblem | null {
  if (method === 'ecocash') return refuseOtherThanEcocash(msisdn)
  return method === 'onemoney' && !/^26371\d{7}$/.test(msisdn) ? problemOf('phoneNotOnemoney') : null
}

/** Paynow: an aggregator that pushes to wallets, issues InnBucks codes, and takes cards at a page of its own. */
export function paynowConnector(
  config: PaynowConfig,
  { id, name } = { id: 'paynow', name: 'Paynow' },
): Connector {
  const { baseUrl, timeoutMs, testNumbers, testMode } = config
  const isTestNumber = (msisdn: string): boolean => testMode && isAmong(paynowTestNumbers, msisdn)
  const http = createHttpClient({
    name: 'Paynow',
    baseUrl,
    ...(timeoutMs !== undefined && { timeoutMs }),
    isUseless: ({ status, text }) => status >= 500 || readMessage(text) === null,
  })
  const owners: readonly Owner[] = paynowCurrencies.flatMap((currency) => {
    const integration = config.integrations[currency]
    return integration ? [{ ...integration, currency }] : []
  })

  async function charge(request: ChargeRequest): Promise<Reply> {
    const owner = owners.find(({ currency }) => currency === request.amount.currency)
    if (!owner)
      throw new ProviderError('invalid', `Paynow has no integration for ${request.amount.currency}`, {
        neverSent: true,
      })
    const { path, text } = chargeCall(config, owner, request)
    const answer = await http.once(request.accountId, { method: 'POST', path, body: { type: FORM, text } })
    return toChargeReply(textOf(answer), owner, request)
  }

  async function lookup(request: LookupRequest): Promise<Reply | NotFound> {
    const path = pathBelow(baseUrl, request.state?.pollUrl)
    const candidates = owners.filter(({ currency }) => currency === (request.state?.currency ?? currency))
    // The reply to the charge was lost, so that the currency is unknown: each integration knows its own charges only.
    for (const owner of candidates) {
      const call = path === null ? traceCall(owner, request.key) : { path, text: '' }
      const answer = await http.repeatable(request.accountId, {
        method: 'POST',
        path: call.path,
        body: { type: FORM, text: call.text },
      })
      const reply = toLookupReply(textOf(answer), owner, request)
      if (reply.kind === 'reply') return reply
    }
    if (candidates.length === 0)
      throw new ProviderError('invalid', 'Paynow lost the integration of this charge')
    return { kind: 'not_found' }
  }

  return {
    id,
    name,
    methods: ['ecocash', 'onemoney', 'innbucks', 'visa'],
    currencies: owners.map(({ currency }) => currency),
    needs: (method) => (wallets[method]?.needsPhone ? ['phone'] : []),
    refund: 'manual',
    reversals: 'reported',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    callbackReply: { status: 200, contentType: 'text/plain', body: '' },
    ...(testNumbers && { testNumbers }),
    isTestNumber,
    refuseNumber: (msisdn, method) =>
      isTestNumber(msisdn)
        ? null
        : (refuseOtherWallet(method, msisdn) ?? refuseRealNumber(testNumbers, msisdn)),
    charge,
    lookup,
    checkCredentials: checkByLookup(lookup),
    health: http.health,
  }
}

/** @throws ProviderError unknown: Paynow refuses under HTTP 200, so that another status comes from an intermediary or from an error */
function textOf({ status, text }: HttpAnswer): string {
  if (status >= 200 && status < 300) return text
  throw new ProviderError('unknown', `Paynow answered with HTTP ${status}`, { providerCode: String(status) })
}
