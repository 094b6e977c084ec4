import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import type { z } from 'zod'
import type { Deployment, KeyMode } from '../../platform/settings.ts'
import type { Connector } from './connector.ts'
import { ecocashConnector } from './ecocash/index.ts'
import type { ecocashSettings } from './ecocash/settings.ts'
import { onlyTestNumbers, toMsisdn } from './msisdn.ts'

export interface Providers {
  readonly all: readonly Connector[]
  has(id: string): boolean
  /** @throws when no connector has this id: stored rows name only existing connectors. */
  byId(id: string): Connector
  /** The provider's minimum interval between look-ups of one charge; zero when the connector no longer exists. */
  minPollMs(id: string): number
  /** Whether the connector can look up refunds. */
  canLookUpRefund(id: string): boolean
  offeredIn(mode: KeyMode): Offer
}

/** The connectors for payments of one mode. */
export interface Offer {
  /** Null when no connector supports this method in this currency. */
  forMethod(method: PaymentMethod, currency: Currency): Connector | null
  methodsIn(currency: Currency): PaymentMethod[]
  /** The error for a customer's number that only a real payment may prompt; null for an allowed number. */
  refuseRealNumber(phone: string): string | null
}

const forTestKeys = { id: 'ecocash-test', name: 'EcoCash for test keys' }

type ProviderConfig = Pick<Deployment, 'keyMode'> & z.output<ReturnType<typeof ecocashSettings>>

/** Test keys of a live gateway use test accounts, or none. */
export function createProviders(config: ProviderConfig): Providers {
  const own = [ecocashConnector(config.ecocash)]
  if (config.keyMode === 'test') return registryOf(own)
  const { ecocashTest } = config
  return registryOf(own, ecocashTest ? [ecocashConnector(ecocashTest, forTestKeys)] : [])
}

export function registryOf(connectors: readonly Connector[], forTests = connectors): Providers {
  const all = [...new Set([...connectors, ...forTests])]
  return {
    all,
    has: (id) => all.some((connector) => connector.id === id),
    byId(id) {
      const connector = all.find((candidate) => candidate.id === id)
      if (!connector) throw new Error(`There is no connector ${id}`)
      return connector
    },
    minPollMs: (id) => all.find((connector) => connector.id === id)?.minPollMs ?? 0,
    canLookUpRefund: (id) =>
      all.some((connector) => connector.id === id && connector.lookupRefund !== undefined),
    offeredIn: (mode) => offerOf(mode === 'test' ? forTests : connectors),
  }
}

function offerOf(connectors: readonly Connector[]): Offer {
  const taking = (currency: Currency) =>
    connectors.filter((connector) => connector.currencies.includes(currency))
  return {
    forMethod: (method, currency) =>
      taking(currency).find((connector) => connector.methods.includes(method)) ?? null,
    methodsIn: (currency) => [...new Set(taking(currency).flatMap((connector) => connector.methods))],
    refuseRealNumber(phone) {
      const msisdn = toMsisdn(phone)
      const rings = connectors.map(({ testNumbers }) => testNumbers ?? null)
      if (msisdn === null || rings.length === 0 || rings.includes(null)) return null
      const numbers = [...new Set(rings.flatMap((each) => each ?? []))]
      return numbers.some((number) => toMsisdn(number) === msisdn) ? null : onlyTestNumbers(numbers)
    },
  }
}
