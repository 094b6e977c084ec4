import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import type { Config } from '../../platform/config.ts'
import type { Connector } from './connector.ts'
import { ecocashConnector } from './ecocash/index.ts'

export interface Providers {
  readonly all: readonly Connector[]
  has(id: string): boolean
  /** @throws when no connector has this id: a stored row names only connectors that are still built in. */
  byId(id: string): Connector
  /** Null when nobody takes this method in this currency. */
  forMethod(method: PaymentMethod, currency: Currency): Connector | null
  methodsIn(currency: Currency): PaymentMethod[]
}

export function createProviders(config: Config): Providers {
  return registryOf([ecocashConnector(config.ecocash)])
}

export function registryOf(connectors: readonly Connector[]): Providers {
  const taking = (currency: Currency) =>
    connectors.filter((connector) => connector.currencies.includes(currency))
  return {
    all: connectors,
    has: (id) => connectors.some((connector) => connector.id === id),
    byId(id) {
      const connector = connectors.find((candidate) => candidate.id === id)
      if (!connector) throw new Error(`There is no connector ${id}`)
      return connector
    },
    forMethod: (method, currency) =>
      taking(currency).find((connector) => connector.methods.includes(method)) ?? null,
    methodsIn: (currency) => [...new Set(taking(currency).flatMap((connector) => connector.methods))],
  }
}
