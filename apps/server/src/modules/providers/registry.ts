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
  /** @throws when no connector has this id: a stored row names only connectors that are still built in. */
  byId(id: string): Connector
  /** What it allows between two looks at one charge; nothing to keep to when it is not built in any more. */
  minPollMs(id: string): number
  /** Whether it can be asked what became of a refund. */
  canLookUpRefund(id: string): boolean
  offeredIn(mode: KeyMode): Offer
}

/** The connectors that take payments of one mode. */
export interface Offer {
  /** Null when nobody takes this method in this currency. */
  forMethod(method: PaymentMethod, currency: Currency): Connector | null
  methodsIn(currency: Currency): PaymentMethod[]
  /** The sentence beside a customer's number that only a real payment may ring; null for one that may be rung. */
  refuseRealNumber(phone: string): string | null
}

const forTestKeys = { id: 'ecocash-test', name: 'EcoCash for test keys' }

type ProviderConfig = Pick<Deployment, 'keyMode'> & z.output<ReturnType<typeof ecocashSettings>>

/** Test keys of a live gateway pay with accounts for tests, or not at all. */
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
