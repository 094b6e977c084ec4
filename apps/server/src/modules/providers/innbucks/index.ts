import { AccountId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import type { Clock } from '../../../platform/clock.ts'
import { systemIds } from '../../../platform/ids.ts'
import type { Connector, CredentialProof, ProviderHealth } from '../connector.ts'
import { proveCredentials, wrongSecret } from '../credential-check.ts'
import { lookupCharge, startCharge } from './charges.ts'
import { type Client, createClient, type InnbucksAccounts } from './client.ts'
import { innbucksCurrencies } from './config.ts'
import type { InnbucksConfig } from './settings.ts'

/** InnBucks Merchant API: the payer pays a code in the app, and inquiries find out about it. There are no callbacks. */
export function innbucksConnector(
  config: InnbucksConfig,
  clock: Clock,
  { id, name } = { id: 'innbucks', name: 'InnBucks' },
): Connector {
  const clients = new Map<Currency, Client>(
    innbucksCurrencies.flatMap((currency) => {
      const account = config.accounts[currency]
      return account ? [[currency, createClient(account, config.baseUrl, clock)] as const] : []
    }),
  )
  const accounts: InnbucksAccounts = { clients, clock }
  return {
    id,
    name,
    methods: ['innbucks'],
    currencies: innbucksCurrencies.filter((currency) => clients.has(currency)),
    needs: () => [],
    refund: 'manual',
    // A claimed code has no later status.
    reversals: 'unreported',
    returnedEcho: 'unknown',
    references: 'repeating',
    minPollMs: 3000,
    // A code that was not shown to the payer cannot be paid, so the payer need not wait for its life to end.
    attemptTtlMs: 2 * 60_000,
    refuseNumber: () => null,
    charge: (request) => startCharge(accounts, request),
    lookup: (request) => lookupCharge(accounts, request),
    async checkCredentials() {
      const proofs: CredentialProof[] = []
      for (const currency of innbucksCurrencies) {
        const [account, client] = [config.accounts[currency], clients.get(currency)]
        if (!account || !client) continue
        const other = createClient(
          { ...account, password: wrongSecret(account.password) },
          config.baseUrl,
          clock,
        )
        const logInBy = (each: Client) => () => each.logIn(systemIds.next(AccountId))
        proofs.push(await proveCredentials(logInBy(client), logInBy(other)))
      }
      return proofs.includes('unproved') ? 'unproved' : 'proved'
    },
    async health() {
      const found = await Promise.all([...clients.values()].map((client) => client.health()))
      return worstFirst.find((health) => found.includes(health)) ?? 'operational'
    },
  }
}

const worstFirst: readonly ProviderHealth[] = ['down', 'degraded', 'operational']
