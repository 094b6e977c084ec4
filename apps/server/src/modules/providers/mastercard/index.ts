import { type Clock, systemClock } from '../../../platform/clock.ts'
import { isSameSecret } from '../../../platform/crypto/keys.ts'
import type { Connector, RefundCalls } from '../connector.ts'
import { proveByLookup, wrongSecret } from '../credential-check.ts'
import { authenticatePayer, lookupCharge, startCharge } from './charges.ts'
import { createClient, type MastercardAccount } from './client.ts'
import { lookupRefund, refundCharge } from './refunds.ts'
import type { MastercardConfig } from './settings.ts'

interface Options {
  readonly id?: string
  readonly name?: string
  readonly clock?: Clock
}

/** Cards through the Mastercard Gateway's Hosted Checkout: the payer enters the card on the gateway's own page. */
export function mastercardConnector(
  config: MastercardConfig,
  { id = 'mastercard', name = 'Mastercard Gateway', clock = systemClock }: Options = {},
): Connector & RefundCalls {
  const { currencies, notificationSecret } = config
  const account: MastercardAccount = { config, client: createClient(config), clock }
  const lookup: Connector['lookup'] = (request) => lookupCharge(account, request)
  const wrongly: Connector['lookup'] = (request) => {
    const client = createClient({ ...config, password: wrongSecret(config.password) })
    return lookupCharge({ ...account, client }, request)
  }
  return {
    id,
    name,
    methods: ['visa'],
    currencies,
    needs: () => [],
    refund: 'api-partial',
    reversals: 'reported',
    returnedEcho: 'total',
    references: 'repeating',
    // The order lists each of its refunds.
    refundLookup: 'proved',
    authorise: { captureWithinMs: config.captureWithinMs },
    minPollMs: 3000,
    // A charge without an answer has no card page, so that it cannot be paid once its call has ended.
    attemptTtlMs: 2 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    refuseNumber: () => null,
    isAuthentic(headers) {
      const secret = headers['x-notification-secret']
      if (notificationSecret === null || typeof secret !== 'string') return true
      return isSameSecret(secret, notificationSecret)
    },
    charge: (request) => startCharge(account, request),
    lookup,
    ...(config.checkout === 'session' && { proceed: (request) => authenticatePayer(account, request) }),
    refundCharge: (request) => refundCharge(account, request),
    lookupRefund: (request) => lookupRefund(account, request),
    checkCredentials: proveByLookup(lookup, wrongly),
    health: account.client.health,
  }
}
