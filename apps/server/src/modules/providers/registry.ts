import type { FormProblem } from '@muripo/contract/checkout'
import type { MerchantId } from '@muripo/contract/ids'
import { type Currency, currencies, type Money } from '@muripo/contract/money'
import { type CaptureMode, type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import type { Clock } from '../../platform/clock.ts'
import type { KeyMode } from '../../platform/settings.ts'
import { accountNamed, forTests, providerNames } from './account-name.ts'
import { type AccountSettings, catalogue, type ProviderConfig, type Variables } from './catalogue.ts'
import type { Connector } from './connector.ts'
import { passedLimit } from './limits.ts'
import {
  checkRoutes,
  connectorsFor,
  type FindConnector,
  type Routes,
  routeKey,
  serves,
} from './method-routes.ts'
import { refuseRealNumber, toMsisdn } from './msisdn.ts'
import { isSimulated, SIMULATOR_LABEL, simulatedConnectors } from './simulated/index.ts'

export interface Providers {
  readonly all: readonly Connector[]
  /** The connectors of at least one route of the deployment. */
  readonly routed: readonly Connector[]
  has(id: string): boolean
  /** @throws when no connector has this id: stored rows name only existing connectors. */
  byId(id: string): Connector
  /** The provider's minimum interval between look-ups of one charge; zero when the connector no longer exists. */
  minPollMs(id: string): number
  /** The time after which an authorisation is voided; zero when the connector cannot authorise, or no longer exists. */
  captureWithinMs(id: string): number
  /** Whether look-ups state the total that has left a charge; `unknown` when the connector no longer exists. */
  returnedEcho(id: string): Connector['returnedEcho']
  /** Whether the provider may repeat its references; `unique` when the connector no longer exists. */
  references(id: string): Connector['references']
  /** Whether the connector can look up refunds. */
  canLookUpRefund(id: string): boolean
  /** @param merchantId the merchant whose own routes take precedence */
  offeredIn(mode: KeyMode, merchantId?: MerchantId): Offer
}

/** The connectors for payments of one mode. */
export interface Offer {
  /** The connectors of a method, in the order in which they are called; none when the method is not offered in this currency. */
  routeOf(method: PaymentMethod, currency: Currency): readonly Connector[]
  /** The connectors of a method that take the amount, in the order in which they are called; with `manual`, those that can authorise it. */
  routeFor(method: PaymentMethod, amount: Money, capture?: CaptureMode): readonly Connector[]
  /** The first connector of a method; null when the method is not offered in this currency. */
  forMethod(method: PaymentMethod, currency: Currency): Connector | null
  methodsIn(currency: Currency): PaymentMethod[]
  /** The error for a customer's number that only a real payment may prompt; null for an allowed number. */
  refuseRealNumber(phone: string): FormProblem | null
}

/** Surrounds a connector, for example with the budget of its calls. */
export type Guard = (connector: Connector) => Connector

/** An account of the database. It replaces the account of the same name in the environment. */
export interface StoredAccount {
  readonly id: string
  /** Rises with each change of the settings. */
  readonly version: number
  /** Null: the settings are those of the environment. */
  readonly variables: Variables | null
  /** A disabled account takes no new payment. Its charges are looked up, and refunded. */
  readonly isDisabled: boolean
  /** The environment from which the settings came no longer has them. */
  readonly isAbsent: boolean
}

/** The accounts and routes that operators have stored. */
export interface StoredProviders {
  readonly accounts: readonly StoredAccount[]
  /** The routes of merchants that have own ones. */
  readonly routes: ReadonlyMap<MerchantId, Routes>
}

const nothing: StoredProviders = { accounts: [], routes: new Map() }

/**
 * The connectors of the environment's accounts and of stored ones.
 * @throws ConfigError when a route names an account that cannot serve it, or a stored account has wrong settings
 */
export const createProviders = (
  config: ProviderConfig,
  clock: Clock,
  stored: StoredProviders = nothing,
): Providers => providersBuilder(config, clock)(stored)

/**
 * Builds the providers, and builds them again after each change of the stored accounts. The connector of an account stays the same until
 * its settings change, and with it the state of its breaker and its connections.
 * @param guard limits and counts the calls of each connector; absent in a command that makes a few calls
 */
export function providersBuilder(
  config: ProviderConfig,
  clock: Clock,
  guard: Guard = (connector) => connector,
): (stored: StoredProviders) => Providers {
  const ofEnvironment = environmentConnectors(config, clock, guard)
  // Look-ups find them for as long as charges name them. No finder of accounts does, so no live payment can be sent to them.
  const simulated = config.keyMode === 'live' ? simulatedConnectors(clock).map(guard) : []
  let built = new Map<string, { readonly version: number; readonly connector: Connector }>()

  return ({ accounts: all, routes }) => {
    // Another process has no variables of the account, and this one does, or has the simulator's account.
    const accounts = all.filter(({ id, isAbsent }) => !(isAbsent && ofEnvironment.has(id)))
    const next: typeof built = new Map()
    for (const account of accounts) {
      const { id, version } = account
      const earlier = built.get(id)
      const connector =
        earlier?.version === version ? earlier.connector : storedConnector(config, clock, account, guard)
      if (connector) next.set(id, { version, connector })
    }
    const connectors = new Map(ofEnvironment)
    for (const [id, { connector }] of next) connectors.set(id, connector)
    const find: FindConnector = (id) => connectors.get(id)
    checkRoutes(config.routes, find)
    built = next

    const disabled = new Set(
      accounts.filter(({ isDisabled, isAbsent }) => isDisabled || isAbsent).map(({ id }) => id),
    )
    const enabled: FindConnector = (id) => (disabled.has(id) ? undefined : find(id))
    // An account for test keys serves in place of every account at its provider.
    const forTestKeys: FindConnector = (id) => {
      const account = accountNamed(id)
      return account === null ? undefined : enabled(forTests(account.provider))
    }
    const own: FindConnector = (id) => (accountNamed(id)?.isForTests ? undefined : enabled(id))
    const finders = { live: own, test: config.keyMode === 'test' ? own : forTestKeys }
    const isSimulating = config.testSimulator && ![...connectors.keys()].some((id) => forTestKeys(id))
    const offersWith = (merchant: readonly Routes[]): Offers => {
      const offerBy = (findIn: FindConnector): Offer => {
        const usable = [...connectors.keys()].flatMap((id) => findIn(id) ?? [])
        return offerOf([...new Set(usable)], (method, currency) =>
          connectorsFor([...merchant, config.routes], findIn, method, currency),
        )
      }
      // Every method, also those that no provider of the deployment serves: a test depends on no contract.
      const test = isSimulating && simulated.length > 0 ? offerOfAll(simulated) : offerBy(finders.test)
      return { live: offerBy(finders.live), test }
    }
    const ofMerchants = new Map(
      [...routes].map(([merchantId, each]) => [merchantId, offersWith([each])] as const),
    )
    return providersOf(offersWith([]), [...connectors.values(), ...simulated], ofMerchants)
  }
}

function environmentConnectors(
  config: ProviderConfig,
  clock: Clock,
  guard: Guard,
): ReadonlyMap<string, Connector> {
  const connectors = providerNames.flatMap((provider) => {
    const { own, forTests: trial } = catalogue[provider].fromConfig(config, clock)
    return [own?.connect(optionsOf(provider)), trial?.connect(optionsOf(forTests(provider)))]
  })
  return new Map(
    connectors.flatMap((connector) => (connector ? [[connector.id, guard(connector)] as const] : [])),
  )
}

function storedConnector(
  config: ProviderConfig,
  clock: Clock,
  { id, variables }: StoredAccount,
  guard: Guard,
): Connector | null {
  const settings = variables && settingsOf(config, clock, id, variables)
  return settings ? guard(settings.connect(optionsOf(id))) : null
}

/**
 * The settings of an account; null when the deployment has no account of this name.
 * @param variables null for those of the environment
 * @throws ConfigError that names the wrong variables
 */
export function settingsOf(
  config: ProviderConfig,
  clock: Clock,
  id: string,
  variables: StoredAccount['variables'],
): AccountSettings | null {
  const account = accountNamed(id)
  if (account === null) return null
  const kind = catalogue[account.provider]
  const read = variables ? kind.fromVariables(config, variables, clock) : kind.fromConfig(config, clock)
  if (account.isForTests) return read.forTests
  return variables || id === account.provider ? read.own : null
}

const optionsOf = (id: string) => ({ id, name: providerLabel(id) })

/** The name of an account for people: "Paynow", "Paynow for test keys", "Paynow (shop)". */
export function providerLabel(id: string): string {
  const account = accountNamed(id)
  if (account === null) return isSimulated(id) ? SIMULATOR_LABEL : id
  const { label } = catalogue[account.provider]
  if (id === account.provider) return label
  return account.isForTests ? `${label} for test keys` : `${label} (${id.slice(account.provider.length + 1)})`
}

/** Without routes: each method in each currency has all connectors that serve it. */
const offerOfAll = (connectors: readonly Connector[]): Offer =>
  offerOf(connectors, (method, currency) => connectors.filter((each) => serves(each, method, currency)))

/** Connectors without routes: a method in a currency has all connectors that serve it, in the given order. */
export function registryOf(connectors: readonly Connector[], forTests = connectors): Providers {
  return providersOf({ live: offerOfAll(connectors), test: offerOfAll(forTests) }, [
    ...new Set([...connectors, ...forTests]),
  ])
}

type Offers = Readonly<Record<KeyMode, Offer>>

function providersOf(
  offers: Offers,
  all: readonly Connector[],
  ofMerchants: ReadonlyMap<MerchantId, Offers> = new Map(),
): Providers {
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
    captureWithinMs: (id) => all.find((connector) => connector.id === id)?.authorise?.captureWithinMs ?? 0,
    returnedEcho: (id) => all.find((connector) => connector.id === id)?.returnedEcho ?? 'unknown',
    references: (id) => all.find((connector) => connector.id === id)?.references ?? 'unique',
    canLookUpRefund: (id) =>
      all.some((connector) => connector.id === id && connector.lookupRefund !== undefined),
    offeredIn: (mode, merchantId) => ((merchantId && ofMerchants.get(merchantId)) ?? offers)[mode],
  }
}

/** @param findRoute is called once for each method and currency */
function offerOf(connectors: readonly Connector[], findRoute: Offer['routeOf']): Offer {
  const numbers = promptedNumbers(connectors)
  const routes = new Map<string, readonly Connector[]>()
  const routeOf: Offer['routeOf'] = (method, currency) => {
    const key = routeKey(method, currency)
    const known = routes.get(key)
    if (known) return known
    const route = findRoute(method, currency)
    routes.set(key, route)
    return route
  }
  return {
    routeOf,
    routeFor: (method, amount, capture) =>
      routeOf(method, amount.currency).filter(
        (connector) =>
          passedLimit(connector, amount) === null &&
          (capture !== 'manual' || connector.authorise !== undefined),
      ),
    forMethod: (method, currency) => routeOf(method, currency)[0] ?? null,
    methodsIn: (currency) => paymentMethods.filter((method) => routeOf(method, currency).length > 0),
    refuseRealNumber(phone) {
      // Most deployments prompt any number, and reading one takes time.
      if (numbers === null) return null
      const msisdn = toMsisdn(phone)
      return msisdn === null ? null : refuseRealNumber(numbers, msisdn)
    },
  }
}

/** The only numbers that these connectors prompt; null when one of them prompts any number. A connector that needs no phone prompts none. */
function promptedNumbers(connectors: readonly Connector[]): readonly string[] | null {
  const prompting = connectors.filter(({ methods, needs }) =>
    methods.some((method) => needs(method).includes('phone')),
  )
  if (prompting.length === 0 || prompting.some(({ testNumbers }) => testNumbers === undefined)) return null
  return [...new Set(prompting.flatMap(({ testNumbers }) => testNumbers ?? []))]
}
