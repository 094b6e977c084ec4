import { type Currency, currencies } from '@muripo/contract/money'
import { type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import { z } from 'zod'
import { ConfigError } from '../../platform/settings.ts'
import type { Connector } from './connector.ts'

const providerNames = ['ecocash', 'ecocash-open', 'innbucks', 'mastercard', 'paynow', 'pesepay'] as const
export type ProviderName = (typeof providerNames)[number]

/** The connectors of one mode, by the names that routes use. */
export type ConnectorsByName = Readonly<Partial<Record<ProviderName, Connector>>>

/** The providers of a method, as a variable of the deployment orders them. */
interface NamedRoute {
  readonly variable: string
  readonly providers: readonly ProviderName[]
}

/** The routes that the deployment sets, by method or by method and currency. */
export type Routes = ReadonlyMap<string, NamedRoute>

/** Without a route, the first of these that is configured serves the method alone. */
const defaults: Readonly<Record<PaymentMethod, readonly ProviderName[]>> = {
  ecocash: ['ecocash'],
  innbucks: ['innbucks'],
  onemoney: ['paynow'],
  visa: ['mastercard', 'paynow'],
}

const NO_PROVIDER = 'none'
const isName = (text: string): text is ProviderName => (providerNames as readonly string[]).includes(text)

const namesIn = (text: string): string[] =>
  text === NO_PROVIDER ? [] : text.split(',').map((name) => name.trim())

const route = z
  .string()
  .transform(namesIn)
  .refine((names): names is ProviderName[] => names.every(isName), {
    error: `must be ${NO_PROVIDER}, or one or several of ${providerNames.join(', ')}, separated by commas`,
  })
  .optional()

const keys = paymentMethods.flatMap((method) => [
  method,
  ...currencies.map((currency) => `${method}_${currency}`),
])
const variableOf = (key: string): string => `ROUTE_${key.toUpperCase()}`

/** ROUTE_VISA names the providers of a method in the order of preference; ROUTE_VISA_ZWG those in one currency. */
export const routeSettings = z
  .object(Object.fromEntries(keys.map((key) => [variableOf(key), route])))
  .transform((env): { routes: Routes } => ({
    routes: new Map(
      keys.flatMap((key) => {
        const variable = variableOf(key)
        const providers = env[variable]
        return providers ? [[key, { variable, providers }] as const] : []
      }),
    ),
  }))

/** Whether a deployment with these routes can send the method to the provider. */
export const isRouted = (
  env: Readonly<Record<string, string | undefined>>,
  method: PaymentMethod,
  name: ProviderName,
) => {
  const variable = env[variableOf(method)]
  return variable === undefined ? defaults[method].includes(name) : namesIn(variable).includes(name)
}

/**
 * The connectors for a method in a currency, in the order in which they are called. Later ones are called only when no byte can have
 * reached the earlier ones.
 */
export function connectorsFor(
  routes: Routes,
  connectors: ConnectorsByName,
  method: PaymentMethod,
  currency: Currency,
): Connector[] {
  const named = routes.get(`${method}_${currency}`) ?? routes.get(method)
  const able = (named?.providers ?? defaults[method]).flatMap((name) => {
    const connector = connectors[name]
    return connector && serves(connector, method, currency) ? [connector] : []
  })
  return named ? able : able.slice(0, 1)
}

export const serves = (connector: Connector, method: PaymentMethod, currency?: Currency): boolean =>
  connector.methods.includes(method) &&
  (currency === undefined ||
    (connector.currencies.includes(currency) && connector.takes?.(method, currency) !== false))

/** @throws ConfigError when a route names a provider that the deployment has not set up, or that cannot serve the method */
export function checkRoutes(routes: Routes, connectors: ConnectorsByName): void {
  const faults = [...routes].flatMap(([key, { variable, providers }]) => {
    const [method, currency] = key.split('_') as [PaymentMethod, Currency?]
    return providers.flatMap((name) => {
      const connector = connectors[name]
      if (!connector) return [`${variable} names ${name}, which has no settings`]
      if (serves(connector, method, currency)) return []
      return [`${variable} names ${name}, which does not serve ${method}${currency ? ` in ${currency}` : ''}`]
    })
  })
  if (faults.length > 0) throw new ConfigError(faults)
}
