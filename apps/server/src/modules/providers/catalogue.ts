import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type Deployment, type Environment, readSettings, variablesOf } from '../../platform/settings.ts'
import { type AccountName, accountNamed, forTests, type ProviderName, providerNames } from './account-name.ts'
import type { AccountsOf, ProviderSettings } from './account-settings.ts'
import { callLimitSettings } from './calls/settings.ts'
import type { Connector, LimitsByCurrency } from './connector.ts'
import { ecocashConnector } from './ecocash/index.ts'
import { ecocashSettings } from './ecocash/settings.ts'
import { ecocashOpenConnector } from './ecocash-open/index.ts'
import { ecocashOpenSettings } from './ecocash-open/settings.ts'
import { innbucksConnector } from './innbucks/index.ts'
import { innbucksSettings } from './innbucks/settings.ts'
import { limitSetting } from './limits.ts'
import { mastercardConnector } from './mastercard/index.ts'
import { mastercardSettings } from './mastercard/settings.ts'
import { routeSettings, STORED_ACCOUNTS } from './method-routes.ts'
import { paynowConnector } from './paynow/index.ts'
import { paynowSettings } from './paynow/settings.ts'
import { pesepayConnector } from './pesepay/index.ts'
import { pesepaySettings } from './pesepay/settings.ts'

type OutputOf<Settings> =
  Settings extends ProviderSettings<infer Key, infer Config> ? AccountsOf<Key, Config> : never

export type ProviderConfig = Deployment &
  OutputOf<typeof ecocashSettings> &
  OutputOf<typeof ecocashOpenSettings> &
  OutputOf<typeof innbucksSettings> &
  OutputOf<typeof mastercardSettings> &
  OutputOf<typeof paynowSettings> &
  OutputOf<typeof pesepaySettings> &
  z.output<typeof routeSettings> & {
    readonly limits: Limits
    /** The variables of each account that the environment contains, by the name of the account. */
    readonly environmentAccounts: ReadonlyMap<string, Variables>
  }

export type Variables = Readonly<Record<string, string>>

/** The limits of amounts of an account, by variable. */
type Limits = Readonly<Record<string, LimitsByCurrency | undefined>>

interface Options {
  readonly id: string
  readonly name: string
}

/** The settings of one account. */
export interface AccountSettings {
  /** The origin of the provider's address: the address may contain a password. */
  readonly origin: string
  connect(options: Options): Connector
}

/** forTests: the account for test keys of a live gateway. */
export interface KindSettings {
  readonly own: AccountSettings | null
  readonly forTests: AccountSettings | null
}

export interface ProviderKind<Config = ProviderConfig> {
  readonly label: string
  readonly settings: ProviderSettings
  fromConfig(config: Config & { readonly limits: Limits }, clock: Clock): KindSettings
  /** @throws ConfigError that names the wrong variables */
  fromVariables(deployment: Deployment, variables: Environment, clock: Clock): KindSettings
}

function kindOf<Key extends string, Config extends { readonly baseUrl: string }>(
  label: string,
  settings: ProviderSettings<Key, Config>,
  connect: (config: Config, options: Options, clock: Clock) => Connector,
): ProviderKind<AccountsOf<Key, Config>> {
  const { key, prefix } = settings
  const fromConfig: ProviderKind<AccountsOf<Key, Config>>['fromConfig'] = (config, clock) => {
    const read = (account: Config | null, limit: LimitsByCurrency | undefined) =>
      account && {
        origin: new URL(account.baseUrl).origin,
        connect: (options: Options) => ({
          ...connect(account, options, clock),
          ...(limit && { limits: limit }),
        }),
      }
    return {
      own: read(config[key], config.limits[`${prefix}LIMITS`]),
      forTests: read(config[`${key}Test` as Key], config.limits[`${prefix}TEST_LIMITS`]),
    }
  }
  return {
    label,
    settings,
    fromConfig,
    fromVariables: (deployment, variables, clock) =>
      fromConfig(
        readSettings({ ...variables, ...STORED_ACCOUNTS }, () =>
          z.intersection(settings.schema(deployment), limitsOf([prefix])),
        ),
        clock,
      ),
  }
}

const limitsOf = (prefixes: readonly string[]) =>
  z
    .object(
      Object.fromEntries(
        prefixes
          .flatMap((prefix) => [`${prefix}LIMITS`, `${prefix}TEST_LIMITS`])
          .map((name) => [name, limitSetting]),
      ),
    )
    .transform((limits): { limits: Limits } => ({ limits }))

/** Every provider, by the name that routes and accounts use. */
export const catalogue: Readonly<Record<ProviderName, ProviderKind>> = {
  ecocash: kindOf('EcoCash', ecocashSettings, ecocashConnector),
  'ecocash-open': kindOf('EcoCash Open', ecocashOpenSettings, ecocashOpenConnector),
  innbucks: kindOf('InnBucks', innbucksSettings, (config, options, clock) =>
    innbucksConnector(config, clock, options),
  ),
  mastercard: kindOf('Mastercard Gateway', mastercardSettings, mastercardConnector),
  paynow: kindOf('Paynow', paynowSettings, paynowConnector),
  pesepay: kindOf('Pesepay', pesepaySettings, pesepayConnector),
}

const kinds = Object.values(catalogue)

/** The variables of an account. */
export function variablesOfAccount({ provider, isForTests }: AccountName) {
  const { settings } = catalogue[provider]
  const prefix = settings.prefix + (isForTests ? 'TEST_' : '')
  const named = (names: readonly string[]) => names.map((name) => prefix + name)
  const numbers = settings.hasTestNumbers ? [`${settings.prefix}TEST_NUMBERS`] : []
  return {
    prefix,
    names: [...named([...Object.keys(settings.shape), 'LIMITS']), ...numbers],
    /** Those whose values may be printed. */
    shown: [...named([...settings.shown, 'LIMITS']), ...numbers],
    /** The provider's names of the account, without the prefix: with other values it is another account. */
    naming: settings.naming,
  }
}

function accountsIn(env: Environment, { keyMode }: Deployment): ReadonlyMap<string, Variables> {
  const ids = providerNames.flatMap((name) => (keyMode === 'live' ? [name, forTests(name)] : [name]))
  const accounts = ids.flatMap((id) => {
    const account = accountNamed(id) as AccountName
    const { prefix, names } = variablesOfAccount(account)
    if (variablesOf(env, prefix, Object.keys(catalogue[account.provider].settings.shape)) === undefined)
      return []
    return [[id, variablesOf(env, '', names) as Variables] as const]
  })
  return new Map(accounts)
}

/** The settings of all providers, whose errors are reported together. */
export const allProviderSettings = (deployment: Deployment) =>
  z
    .intersection(
      z.intersection(routeSettings, callLimitSettings),
      kinds
        .map(({ settings }): z.ZodType => settings.schema(deployment))
        .reduce(
          (all, each) => z.intersection(all, each),
          limitsOf(kinds.map(({ settings }) => settings.prefix)),
        ),
    )
    .and(
      z.custom<Environment>().transform((env) => ({ environmentAccounts: accountsIn(env, deployment) })),
    ) as unknown as z.ZodType<Omit<ProviderConfig, keyof Deployment> & z.output<typeof callLimitSettings>>
