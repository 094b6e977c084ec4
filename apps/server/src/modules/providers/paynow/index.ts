import type { FormProblem } from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
import { problemOf } from '@muripo/locales/form-problems'
import type { Connector } from '../connector.ts'
import { proveByLookup, wrongSecret } from '../credential-check.ts'
import { isAmong, refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { wallets } from './bodies.ts'
import { lookupCharge, startCharge } from './charges.ts'
import { createClient, type PaynowAccount } from './client.ts'
import { paynowCurrencies, paynowTestNumbers } from './config.ts'
import type { PaynowConfig } from './settings.ts'

/** Paynow: an aggregator that pushes to wallets, issues InnBucks codes, and takes cards at a page of its own. */
export function paynowConnector(
  config: PaynowConfig,
  { id, name } = { id: 'paynow', name: 'Paynow' },
): Connector {
  const { testNumbers, testMode } = config
  const owners = paynowCurrencies.flatMap((currency) => {
    const integration = config.integrations[currency]
    return integration ? [{ ...integration, currency }] : []
  })
  const account: PaynowAccount = { config, client: createClient(config), owners }
  const lookup: Connector['lookup'] = (request) => lookupCharge(account, request)
  const others = owners.map((owner) => ({ ...owner, key: wrongSecret(owner.key) }))
  const wrongly: Connector['lookup'] = (request) => lookupCharge({ ...account, owners: others }, request)
  const isTestNumber = (msisdn: string): boolean => testMode && isAmong(paynowTestNumbers, msisdn)
  return {
    id,
    name,
    methods: ['ecocash', 'onemoney', 'innbucks', 'visa'],
    currencies: owners.map(({ currency }) => currency),
    needs: (method) => (wallets[method]?.needsPhone ? ['phone'] : []),
    refund: 'manual',
    reversals: 'reported',
    // Refunded and Disputed name the amount of the charge.
    returnedEcho: 'unknown',
    references: 'unique',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    callbackReply: { status: 200, contentType: 'text/plain', body: '' },
    ...(testNumbers && { testNumbers }),
    isTestNumber,
    refuseNumber: (msisdn, method) =>
      isTestNumber(msisdn)
        ? null
        : (refuseOtherWallet(method, msisdn) ?? refuseRealNumber(testNumbers, msisdn)),
    charge: (request) => startCharge(account, request),
    lookup,
    checkCredentials: proveByLookup(lookup, wrongly),
    health: account.client.health,
  }
}

function refuseOtherWallet(method: PaymentMethod, msisdn: string): FormProblem | null {
  if (method === 'ecocash') return refuseOtherThanEcocash(msisdn)
  return method === 'onemoney' && !/^26371\d{7}$/.test(msisdn) ? problemOf('phoneNotOnemoney') : null
}
