import { randomUUID } from 'node:crypto'
import { AccountId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import type { Clock } from '../../../platform/clock.ts'
import { systemIds } from '../../../platform/ids.ts'
import {
  type ChargeRequest,
  type Connector,
  ProviderError,
  type ProviderHealth,
  unpayable,
} from '../connector.ts'
import { plainText } from '../texts.ts'
import { type Answer, type Client, createClient } from './client.ts'
import { type InnbucksConfig, type InnbucksCurrency, innbucksCurrencies } from './config.ts'
import { isApproved, plainCode, readState, toIssued, toReply } from './mapping.ts'
import { generateError, inquiryError, NOT_LOCATED } from './refusals.ts'
import { CodeReply } from './wire.ts'

export type { InnbucksConfig } from './config.ts'

/** InnBucks Merchant API: the payer pays a code in the app, and inquiries find out about it. There are no callbacks. */
export function innbucksConnector(
  config: InnbucksConfig,
  clock: Clock,
  { id, name } = { id: 'innbucks', name: 'InnBucks' },
): Connector {
  const { baseUrl, timeoutMs } = config
  const clients = new Map<Currency, Client>(
    innbucksCurrencies.flatMap((currency) => {
      const account = config.accounts[currency]
      return account ? [[currency, createClient(account, { baseUrl, timeoutMs, clock })] as const] : []
    }),
  )
  const currencies = innbucksCurrencies.filter((currency) => clients.has(currency))

  function accountOf({ amount }: ChargeRequest): { client: Client; currency: InnbucksCurrency } {
    const currency = currencies.find((each) => each === amount.currency)
    const client = clients.get(amount.currency)
    if (currency === undefined || client === undefined)
      throw new ProviderError('invalid', `InnBucks does not take ${amount.currency}`, { neverSent: true })
    return { client, currency }
  }

  return {
    id,
    name,
    methods: ['innbucks'],
    currencies,
    needs: () => [],
    refund: 'manual',
    // A claimed code has no later status.
    reversals: 'unreported',
    minPollMs: 3000,
    // A code that nobody knows cannot be paid, so the payer need not wait for its life to end.
    attemptTtlMs: 2 * 60_000,
    refuseNumber: () => null,
    async charge(request) {
      const { client, currency } = accountOf(request)
      const body = {
        reference: request.key,
        narration: plainText(request.description, 'Payment'),
        amount: Number(request.amount.minor),
        type: 'PAYMENT',
      }
      const answer = await client.generate(request.accountId, body).catch((error: unknown) => {
        throw unpayable(error)
      })
      const reply = isReadable(answer)
        ? toIssued(CodeReply.parse(answer.body), { ...request.amount, currency })
        : null
      if (reply === null) throw generateError(answer)
      return reply
    },
    async lookup({ accountId, state }) {
      const issued = readState(state)
      if (issued === null) return { kind: 'not_found' }
      const client = clients.get(issued.currency)
      if (client === undefined)
        throw new ProviderError('invalid', `InnBucks has no account in ${issued.currency}`, {
          neverSent: true,
        })
      const answer = await client.inquire(accountId, { reference: randomUUID(), code: issued.code })
      if (!isReadable(answer)) throw inquiryError(answer)
      const body = CodeReply.parse(answer.body)
      if (plainCode(body.responseCode) === NOT_LOCATED) return { kind: 'not_found' }
      if (!isApproved(body.responseCode)) throw inquiryError(answer)
      return toReply(body, issued, clock.now())
    },
    async checkCredentials() {
      for (const client of clients.values()) await client.logIn(systemIds.next(AccountId))
    },
    async health() {
      const found = await Promise.all([...clients.values()].map((client) => client.health()))
      return byBadness.find((health) => found.includes(health)) ?? 'operational'
    },
  }
}

const byBadness: readonly ProviderHealth[] = ['down', 'degraded', 'operational']

const isReadable = ({ status, body }: Answer): boolean => status >= 200 && status < 300 && body !== null
