import { type Currency, currencies } from '@muripo/contract/money'
import { type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import { z } from 'zod'
import { ConfigError, type Environment, oneOf } from '../../platform/settings.ts'
import { accountNamed, type ProviderName, providerNames } from './account-name.ts'
import type { Connector } from './connector.ts'

/** The connector of an account in one mode; undefined when there is none. */
export type FindConnector = (account: string) => Connector | undefined

/** The accounts of methods in the order in which they are called, by `routeKey`. */
export type Routes = ReadonlyMap<string, readonly string[]>

/** A route is of a method, or of a method in one currency. */
export const routeKey = (method: PaymentMethod, currency?: Currency): string =>
  currency === undefined ? method : `${method}_${currency}`

/** The method and the currency of a key; null for each currency without a route of its own. */
export const routeOf = (
  key: string,
): { readonly method: PaymentMethod; readonly currency: Currency | null } => {
  const [method = '', currency] = key.split('_')
  return { method: method as PaymentMethod, currency: (currency as Currency | undefined) ?? null }
}

/** Without a route, the first of these that is configured serves the method alone. */
const defaults: Readonly<Record<PaymentMethod, readonly ProviderName[]>> = {
  ecocash: ['ecocash'],
  innbucks: ['innbucks'],
  onemoney: ['paynow'],
  visa: ['mastercard', 'paynow'],
}

const NO_PROVIDER = 'none'

/** The accounts of a route as people write it: `mastercard, paynow`, or `none`. */
export const accountsIn = (text: string): string[] =>
  text === NO_PROVIDER ? [] : text.split(',').map((name) => name.trim())

const route = z
  .string()
  .transform(accountsIn)
  .refine((names) => names.every((name) => accountNamed(name)?.isForTests === false), {
    error: `must be ${NO_PROVIDER}, or one or several of ${providerNames.join(', ')}, separated by commas`,
  })
  .optional()

const keys = paymentMethods.flatMap((method) => [
  routeKey(method),
  ...currencies.map((currency) => routeKey(method, currency)),
])
const variableOf = (key: string): string => `ROUTE_${key.toUpperCase()}`

/** The setting of a deployment whose accounts are in the database: the start needs no variables of a provider. */
export const STORED_ACCOUNTS = { PROVIDER_ACCOUNTS: 'database' } as const

/** ROUTE_VISA names the providers of a method in the order of preference; ROUTE_VISA_ZWG those in one currency. */
export const routeSettings = z
  .object({
    ...Object.fromEntries(keys.map((key) => [variableOf(key), route])),
    PROVIDER_ACCOUNTS: oneOf('environment', 'database').default('environment'),
    TEST_SIMULATOR: oneOf('on', 'off').default('on'),
  })
  .transform((env): { routes: Routes; testSimulator: boolean; accountsAreStored: boolean } => ({
    /** Whether the accounts are expected in the database, and not in the environment. */
    accountsAreStored: env.PROVIDER_ACCOUNTS === STORED_ACCOUNTS.PROVIDER_ACCOUNTS,
    /** Whether test keys of a live gateway without an account for them are served by the simulated provider. */
    testSimulator: env.TEST_SIMULATOR === 'on',
    routes: new Map(
      keys.flatMap((key) => {
        const variable = variableOf(key) as `ROUTE_${string}`
        const accounts = (env as Readonly<Record<typeof variable, string[] | undefined>>)[variable]
        return accounts ? [[key, accounts] as const] : []
      }),
    ),
  }))

/** Whether the environment has to contain the account of a provider that serves the method. */
export const needsVariables = (env: Environment, method: PaymentMethod, name: ProviderName): boolean => {
  if (env.PROVIDER_ACCOUNTS === STORED_ACCOUNTS.PROVIDER_ACCOUNTS) return false
  const variable = env[variableOf(method)]
  return variable === undefined ? defaults[method].includes(name) : accountsIn(variable).includes(name)
}

/**
 * The connectors for a method in a currency, in the order in which they are called. Later ones are called only when no byte can have
 * reached the earlier ones.
 * @param routes those of the merchant, then those of the deployment: the first one that has the method decides
 */
export function connectorsFor(
  routes: readonly Routes[],
  find: FindConnector,
  method: PaymentMethod,
  currency: Currency,
): readonly Connector[] {
  const named = routes
    .map((each) => each.get(routeKey(method, currency)) ?? each.get(routeKey(method)))
    .find((accounts) => accounts !== undefined)
  const able = ableOf(named ?? defaults[method], find, method, currency)
  return named ? able : able.slice(0, 1)
}

/** The connectors of these accounts that serve the method, each once. */
const ableOf = (
  accounts: readonly string[],
  find: FindConnector,
  method: PaymentMethod,
  currency: Currency,
): readonly Connector[] => {
  const able = accounts.flatMap((account) => {
    const connector = find(account)
    return connector && serves(connector, method, currency) ? [connector] : []
  })
  return [...new Set(able)]
}

export const serves = (connector: Connector, method: PaymentMethod, currency?: Currency): boolean =>
  connector.methods.includes(method) &&
  (currency === undefined ||
    (connector.currencies.includes(currency) && connector.takes?.(method, currency) !== false))

/** The reason why an account cannot be part of a route; null when it can. */
export function refuseRoute(
  account: string,
  find: FindConnector,
  method: PaymentMethod,
  currency?: Currency,
): string | null {
  const connector = find(account)
  if (!connector) return `${account}, which has no settings`
  if (serves(connector, method, currency)) return null
  return `${account}, which does not serve ${method}${currency ? ` in ${currency}` : ''}`
}

/** @throws ConfigError when a route names an account that the deployment has not set up, or that cannot serve the method */
export function checkRoutes(routes: Routes, find: FindConnector): void {
  const problems = [...routes].flatMap(([key, accounts]) => {
    const [method, currency] = key.split('_') as [PaymentMethod, Currency?]
    return accounts.flatMap((account) => {
      const refusal = refuseRoute(account, find, method, currency)
      return refusal === null ? [] : [`${variableOf(key)} names ${refusal}`]
    })
  })
  if (problems.length > 0) throw new ConfigError(problems)
}
