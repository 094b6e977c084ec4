import { type Currency, currencies } from '@muripo/contract/money'
import { type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Deployment, KeyMode } from '../../platform/settings.ts'
import type { Connector } from './connector.ts'
import { ecocashConnector } from './ecocash/index.ts'
import type { ecocashSettings } from './ecocash/settings.ts'
import { ecocashOpenConnector } from './ecocash-open/index.ts'
import type { ecocashOpenSettings } from './ecocash-open/settings.ts'
import { innbucksConnector } from './innbucks/index.ts'
import type { innbucksSettings } from './innbucks/settings.ts'
import { mastercardConnector } from './mastercard/index.ts'
import type { mastercardSettings } from './mastercard/settings.ts'
import {
  type ConnectorsByName,
  checkRoutes,
  connectorsFor,
  type routeSettings,
  serves,
} from './method-routes.ts'
import { onlyTestNumbers, toMsisdn } from './msisdn.ts'
import { paynowConnector } from './paynow/index.ts'
import type { paynowSettings } from './paynow/settings.ts'
import { pesepayConnector } from './pesepay/index.ts'
import type { pesepaySettings } from './pesepay/settings.ts'

export interface Providers {
  readonly all: readonly Connector[]
  /** The connectors of at least one route. */
  readonly routed: readonly Connector[]
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
  /** The connectors of a method, in the order in which they are called; none when the method is not offered in this currency. */
  routeOf(method: PaymentMethod, currency: Currency): readonly Connector[]
  /** The first connector of a method; null when the method is not offered in this currency. */
  forMethod(method: PaymentMethod, currency: Currency): Connector | null
  methodsIn(currency: Currency): PaymentMethod[]
  /** The error for a customer's number that only a real payment may prompt; null for an allowed number. */
  refuseRealNumber(phone: string): string | null
}

type ProviderConfig = Pick<Deployment, 'keyMode'> &
  z.output<ReturnType<typeof ecocashSettings>> &
  z.output<ReturnType<typeof ecocashOpenSettings>> &
  z.output<ReturnType<typeof innbucksSettings>> &
  z.output<ReturnType<typeof mastercardSettings>> &
  z.output<ReturnType<typeof paynowSettings>> &
  z.output<ReturnType<typeof pesepaySettings>> &
  z.output<typeof routeSettings>

/**
 * Test keys of a live gateway use test accounts, or none.
 * @throws ConfigError when a route names a provider that cannot serve it
 */
export function createProviders(config: ProviderConfig, clock: Clock): Providers {
  const { ecocash, ecocashOpen, innbucks, mastercard, paynow, pesepay, routes } = config
  const { ecocashTest, ecocashOpenTest, innbucksTest, mastercardTest, paynowTest, pesepayTest } = config
  const own: ConnectorsByName = {
    ...(ecocash && { ecocash: ecocashConnector(ecocash) }),
    ...(ecocashOpen && { 'ecocash-open': ecocashOpenConnector(ecocashOpen) }),
    ...(innbucks && { innbucks: innbucksConnector(innbucks, clock) }),
    ...(mastercard && { mastercard: mastercardConnector(mastercard) }),
    ...(paynow && { paynow: paynowConnector(paynow) }),
    ...(pesepay && { pesepay: pesepayConnector(pesepay) }),
  }
  checkRoutes(routes, own)
  const forTests: ConnectorsByName =
    config.keyMode === 'test'
      ? own
      : {
          ...(ecocashTest && {
            ecocash: ecocashConnector(ecocashTest, { id: 'ecocash-test', name: 'EcoCash for test keys' }),
          }),
          ...(ecocashOpenTest && {
            'ecocash-open': ecocashOpenConnector(ecocashOpenTest, {
              id: 'ecocash-open-test',
              name: 'EcoCash Open for test keys',
            }),
          }),
          ...(innbucksTest && {
            innbucks: innbucksConnector(innbucksTest, clock, {
              id: 'innbucks-test',
              name: 'InnBucks for test keys',
            }),
          }),
          ...(mastercardTest && {
            mastercard: mastercardConnector(mastercardTest, {
              id: 'mastercard-test',
              name: 'Cards for test keys',
            }),
          }),
          ...(paynowTest && {
            paynow: paynowConnector(paynowTest, { id: 'paynow-test', name: 'Paynow for test keys' }),
          }),
          ...(pesepayTest && {
            pesepay: pesepayConnector(pesepayTest, { id: 'pesepay-test', name: 'Pesepay for test keys' }),
          }),
        }
  const offered = (connectors: ConnectorsByName) =>
    offerOf(Object.values(connectors), (method, currency) =>
      connectorsFor(routes, connectors, method, currency),
    )
  return providersOf({ live: offered(own), test: offered(forTests) }, [
    ...new Set([own, forTests].flatMap((connectors) => Object.values(connectors))),
  ])
}

/** Connectors without routes: each serves what it can, the first ones first. */
export function registryOf(connectors: readonly Connector[], forTests = connectors): Providers {
  const offered = (each: readonly Connector[]) =>
    offerOf(each, (method, currency) => each.filter((connector) => serves(connector, method, currency)))
  return providersOf({ live: offered(connectors), test: offered(forTests) }, [
    ...new Set([...connectors, ...forTests]),
  ])
}

function providersOf(offers: Readonly<Record<KeyMode, Offer>>, all: readonly Connector[]): Providers {
  const isRouted = (connector: Connector) =>
    Object.values(offers).some((offer) =>
      currencies.some((currency) =>
        offer.methodsIn(currency).some((method) => offer.routeOf(method, currency).includes(connector)),
      ),
    )
  return {
    all,
    routed: all.filter(isRouted),
    has: (id) => all.some((connector) => connector.id === id),
    byId(id) {
      const connector = all.find((candidate) => candidate.id === id)
      if (!connector) throw new Error(`There is no connector ${id}`)
      return connector
    },
    minPollMs: (id) => all.find((connector) => connector.id === id)?.minPollMs ?? 0,
    canLookUpRefund: (id) =>
      all.some((connector) => connector.id === id && connector.lookupRefund !== undefined),
    offeredIn: (mode) => offers[mode],
  }
}

function offerOf(connectors: readonly Connector[], routeOf: Offer['routeOf']): Offer {
  const numbers = promptedNumbers(connectors)
  return {
    routeOf,
    forMethod: (method, currency) => routeOf(method, currency)[0] ?? null,
    methodsIn: (currency) => paymentMethods.filter((method) => routeOf(method, currency).length > 0),
    refuseRealNumber(phone) {
      // Most deployments prompt any number, and reading one is a tenth of the cost of a payment.
      if (numbers === null) return null
      const msisdn = toMsisdn(phone)
      if (msisdn === null || numbers.some((number) => toMsisdn(number) === msisdn)) return null
      return onlyTestNumbers(numbers)
    },
  }
}

/** The only numbers that these connectors prompt; null when one of them prompts any number. A connector that needs no phone prompts none. */
function promptedNumbers(connectors: readonly Connector[]): readonly string[] | null {
  const rings = connectors
    .filter(({ methods, needs }) => methods.some((method) => needs(method).includes('phone')))
    .map(({ testNumbers }) => testNumbers ?? null)
  return rings.length === 0 || rings.includes(null) ? null : [...new Set(rings.flatMap((each) => each ?? []))]
}
