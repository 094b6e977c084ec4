import type { Connector, RefundCalls } from '../connector.ts'
import { proveByLookup, wrongSecret } from '../credential-check.ts'
import { refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { lookupTransaction, startCharge } from './charges.ts'
import { createClient, type EcocashAccount } from './client.ts'
import { ecocashCurrencies } from './config.ts'
import { lookupRefund, refundCharge } from './refunds.ts'
import type { EcocashConfig } from './settings.ts'

/** EcoCash Instant Payment (EIP): a push to the subscriber's phone, which the subscriber confirms with the wallet's PIN. */
export function ecocashConnector(
  config: EcocashConfig,
  { id, name } = { id: 'ecocash', name: 'EcoCash' },
): Connector & RefundCalls {
  const { testNumbers, dialIn } = config
  const account: EcocashAccount = { config, client: createClient(config) }
  const lookup: Connector['lookup'] = (request) => lookupTransaction(account, request)
  const wrongly: Connector['lookup'] = (request) => {
    const client = createClient({ ...config, password: wrongSecret(config.password) })
    return lookupTransaction({ config, client }, request)
  }
  return {
    id,
    name,
    methods: ['ecocash'],
    currencies: ecocashCurrencies,
    needs: () => ['phone'],
    refund: 'api-partial',
    // No document has a status for a charge that customer care reverses.
    reversals: 'unreported',
    // A refunded charge keeps its whole amount.
    returnedEcho: 'unknown',
    references: 'unique',
    ...(dialIn !== undefined && { dialIn: { ecocash: dialIn } }),
    minPollMs: 3000,
    callsPerMinute: 500,
    attemptTtlMs: 10 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    ...(testNumbers && { testNumbers }),
    refuseNumber: (msisdn) => refuseOtherThanEcocash(msisdn) ?? refuseRealNumber(testNumbers, msisdn),
    charge: (request) => startCharge(account, request),
    lookup,
    refundCharge: (request) => refundCharge(account, request),
    lookupRefund: (request) => lookupRefund(account, request),
    checkCredentials: proveByLookup(lookup, wrongly),
    health: account.client.health,
  }
}
