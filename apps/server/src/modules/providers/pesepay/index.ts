import { problemOf } from '@muripo/locales/form-problems'
import { isSameSecret } from '../../../platform/crypto/keys.ts'
import type { Connector } from '../connector.ts'
import { refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { lookupCharge, startCharge } from './charges.ts'
import { createClient, type PesepayAccount } from './client.ts'
import { walletNames, walletOf } from './config.ts'
import type { PesepayConfig } from './settings.ts'

/** Pesepay: an aggregator at whose page the payer enters a card, and which asks wallets by a phone number without a page. */
export function pesepayConnector(
  config: PesepayConfig,
  { id, name } = { id: 'pesepay', name: 'Pesepay' },
): Connector {
  const { currencies, walletCodes, testNumbers, integrationKey } = config
  const account: PesepayAccount = { config, client: createClient(config) }
  return {
    id,
    name,
    methods: ['visa', ...walletNames],
    currencies,
    takes(method, currency) {
      const wallet = walletOf(method)
      return wallet === null || walletCodes[wallet][currency] !== undefined
    },
    needs: (method) => (walletOf(method) === null ? [] : ['phone']),
    ...(testNumbers && { testNumbers }),
    refund: 'manual',
    reversals: 'reported',
    returnedEcho: 'unknown',
    references: 'unique',
    minPollMs: 3000,
    // A card's charge without an answer has no page, so that it cannot be paid once its call has ended.
    attemptTtlMs: 2 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    refuseNumber(msisdn, method) {
      const otherWallet = method === 'ecocash' ? refuseOtherThanEcocash(msisdn) : null
      if (otherWallet) return otherWallet
      if (!/^2637\d{8}$/.test(msisdn)) return problemOf('phoneNotMobile')
      return refuseRealNumber(testNumbers, msisdn)
    },
    // The header is sometimes absent.
    isAuthentic: ({ authorization }) =>
      authorization === undefined || isSameSecret(authorization, integrationKey),
    charge: (request) => startCharge(account, request),
    lookup: (request) => lookupCharge(account, request),
    health: account.client.health,
  }
}
