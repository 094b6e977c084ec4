import type { Connector, RefundCalls } from '../connector.ts'
import { proveByLookup, wrongSecret } from '../credential-check.ts'
import { refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { lookupCharge, startCharge } from './charges.ts'
import { createClient, type EcocashOpenAccount } from './client.ts'
import { ecocashOpenCurrencies } from './config.ts'
import { lookupRefund, refundCharge } from './refunds.ts'
import type { EcocashOpenConfig } from './settings.ts'

/**
 * The EcoCash Open API: a push to the subscriber's phone, whose outcome only look-ups find out. Callbacks go to an address of the portal,
 * which cannot contain a payment's token, so that none are received.
 */
export function ecocashOpenConnector(
  config: EcocashOpenConfig,
  { id, name } = { id: 'ecocash-open', name: 'EcoCash Open' },
): Connector & RefundCalls {
  const { testNumbers } = config
  const account: EcocashOpenAccount = { config, client: createClient(config) }
  const lookup: Connector['lookup'] = (request) => lookupCharge(account, request)
  const wrongly: Connector['lookup'] = (request) => {
    const client = createClient({ ...config, apiKey: wrongSecret(config.apiKey) })
    return lookupCharge({ config, client }, request)
  }
  return {
    id,
    name,
    methods: ['ecocash'],
    currencies: ecocashOpenCurrencies,
    needs: () => ['phone'],
    // Partial refunds are not documented.
    refund: 'api-full',
    // No status for a reversed payment is documented, and callbacks are not received.
    reversals: 'unreported',
    returnedEcho: 'unknown',
    references: 'unique',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    ...(testNumbers && { testNumbers }),
    refuseNumber: (msisdn) => refuseOtherThanEcocash(msisdn) ?? refuseRealNumber(testNumbers, msisdn),
    charge: (request) => startCharge(account, request),
    lookup,
    refundCharge: (request) => refundCharge(account, request),
    lookupRefund,
    checkCredentials: proveByLookup(lookup, wrongly),
    health: account.client.health,
  }
}
