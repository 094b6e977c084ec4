import type { Connector } from '../../src/modules/providers/connector.ts'
import { lookupCharge, startCharge } from './charges.ts'
import { createClient, type SampleAccount } from './client.ts'
import { type SampleConfig, sampleCurrencies } from './config.ts'

/** A charge that the payer confirms, and look-ups by our key. */
export function sampleConnector(config: SampleConfig): Connector {
  const account: SampleAccount = { config, client: createClient(config) }
  return {
    id: 'sample',
    name: 'Sample',
    methods: ['ecocash'],
    currencies: sampleCurrencies,
    needs: () => [],
    refund: 'manual',
    reversals: 'unreported',
    returnedEcho: 'unknown',
    references: 'unique',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    refuseNumber: () => null,
    charge: (request) => startCharge(account, request),
    lookup: (request) => lookupCharge(account, request),
    health: account.client.health,
  }
}
