import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type Deployment, type Environment, readSettings } from '../../platform/settings.ts'
import type { ProviderName } from './account-name.ts'
import type { Connector, LimitsByCurrency } from './connector.ts'
import { ecocashConnector } from './ecocash/index.ts'
import { ecocashSettings, ecocashVariables } from './ecocash/settings.ts'
import { ecocashOpenConnector } from './ecocash-open/index.ts'
import { ecocashOpenSettings, ecocashOpenVariables } from './ecocash-open/settings.ts'
import type { InnbucksConfig } from './innbucks/config.ts'
import { innbucksConnector } from './innbucks/index.ts'
import { innbucksSettings, innbucksVariables } from './innbucks/settings.ts'
import { limitSetting } from './limits.ts'
import { mastercardConnector } from './mastercard/index.ts'
import { mastercardSettings, mastercardVariables } from './mastercard/settings.ts'
import { type routeSettings, STORED_ACCOUNTS } from './method-routes.ts'
import type { PaynowConfig } from './paynow/config.ts'
import { paynowConnector } from './paynow/index.ts'
import { paynowSettings, paynowVariables } from './paynow/settings.ts'
import { pesepayConnector } from './pesepay/index.ts'
import { pesepaySettings, pesepayVariables } from './pesepay/settings.ts'

export type ProviderConfig = Deployment &
  z.output<ReturnType<typeof ecocashSettings>> &
  z.output<ReturnType<typeof ecocashOpenSettings>> &
  z.output<ReturnType<typeof innbucksSettings>> &
  z.output<ReturnType<typeof mastercardSettings>> &
  z.output<ReturnType<typeof paynowSettings>> &
  z.output<ReturnType<typeof pesepaySettings>> &
  z.output<typeof routeSettings> & { readonly limits: Limits }

/** The limits of amounts of an account, by variable. */
type Limits = Readonly<Record<string, LimitsByCurrency | undefined>>

interface Options {
  readonly id: string
  readonly name: string
}

/** The settings of one account. */
export interface AccountSettings {
  /** The provider's names of the account, by variable; undefined where the account has none. Settings with other names are another account. */
  readonly identity: Readonly<Record<string, string | undefined>>
  connect(options: Options): Connector
}

/** forTests: the account for test keys of a live gateway. */
export interface KindSettings {
  readonly own: AccountSettings | null
  readonly forTests: AccountSettings | null
}

export interface ProviderKind {
  readonly label: string
  /** The prefix of the variables of the account; TEST_ follows it in those of the account for test keys. */
  readonly prefix: string
  readonly variables: readonly string[]
  /** The variables whose values may be printed. */
  readonly shown: readonly string[]
  fromConfig(config: ProviderConfig, clock: Clock): KindSettings
  /** @throws ConfigError that names the wrong variables */
  fromVariables(deployment: Deployment, variables: Environment, clock: Clock): KindSettings
}

function kindOf<Key extends keyof ProviderConfig, Config>(
  kind: Pick<ProviderKind, 'label' | 'prefix' | 'variables' | 'shown'> & {
    readonly settings: (deployment: Deployment) => z.ZodType<Pick<ProviderConfig, Key>>
    readonly configs: (config: Pick<ProviderConfig, Key>) => readonly [Config | null, Config | null]
    readonly identity: (config: Config) => AccountSettings['identity']
    readonly connect: (config: Config, options: Options, clock: Clock) => Connector
  },
): ProviderKind {
  const { settings, configs, identity, connect, ...rest } = kind
  function read(config: Pick<ProviderConfig, Key>, limits: Limits, clock: Clock): KindSettings {
    const [own, forTests] = configs(config).map((account, index) => {
      const limit = limits[limitVariables(rest.prefix)[index] ?? '']
      return (
        account && {
          identity: identity(account),
          connect: (options: Options) => ({
            ...connect(account, options, clock),
            ...(limit && { limits: limit }),
          }),
        }
      )
    })
    return { own: own ?? null, forTests: forTests ?? null }
  }
  return {
    ...rest,
    fromConfig: (config, clock) => read(config, config.limits, clock),
    fromVariables(deployment, variables, clock) {
      const config = readSettings({ ...variables, ...STORED_ACCOUNTS }, () =>
        z.intersection(settings(deployment), limitsOf([rest.prefix])),
      )
      return read(config, config.limits, clock)
    },
  }
}

/** The variables of the limits of a provider's account, and of its account for test keys. */
const limitVariables = (prefix: string): readonly string[] => [`${prefix}LIMITS`, `${prefix}TEST_LIMITS`]

const limitsOf = (prefixes: readonly string[]) =>
  z
    .object(Object.fromEntries(prefixes.flatMap(limitVariables).map((name) => [name, limitSetting])))
    .transform((limits): { limits: Limits } => ({ limits }))

/** Every provider, by the name that routes and accounts use. */
export const catalogue: Readonly<Record<ProviderName, ProviderKind>> = {
  ecocash: kindOf({
    label: 'EcoCash',
    prefix: 'ECOCASH_',
    variables: ecocashVariables,
    identity: ({ merchantCode, merchantNumber }) => ({
      MERCHANT_CODE: merchantCode,
      MERCHANT_NUMBER: merchantNumber,
    }),
    shown: ['URL', 'MERCHANT_CODE', 'MERCHANT_NUMBER', 'TEST_NUMBERS'],
    settings: ecocashSettings,
    configs: ({ ecocash, ecocashTest }) => [ecocash, ecocashTest],
    connect: ecocashConnector,
  }),
  'ecocash-open': kindOf({
    label: 'EcoCash Open',
    prefix: 'ECOCASH_OPEN_',
    variables: ecocashOpenVariables,
    identity: ({ merchantCode }) => ({ MERCHANT_CODE: merchantCode ?? undefined }),
    shown: ['URL', 'MERCHANT_CODE', 'ZWG_CODE', 'REFUND_REFERENCE', 'TEST_NUMBERS'],
    settings: ecocashOpenSettings,
    configs: ({ ecocashOpen, ecocashOpenTest }) => [ecocashOpen, ecocashOpenTest],
    connect: ecocashOpenConnector,
  }),
  innbucks: kindOf({
    label: 'InnBucks',
    prefix: 'INNBUCKS_',
    variables: innbucksVariables,
    identity: ({ accounts }: InnbucksConfig) => ({
      USD_USERNAME: accounts.USD?.username,
      ZWG_USERNAME: accounts.ZWG?.username,
    }),
    shown: ['URL', 'USD_USERNAME', 'ZWG_USERNAME'],
    settings: innbucksSettings,
    configs: ({ innbucks, innbucksTest }) => [innbucks, innbucksTest],
    connect: (config, options, clock) => innbucksConnector(config, clock, options),
  }),
  mastercard: kindOf({
    label: 'Mastercard Gateway',
    prefix: 'MASTERCARD_',
    variables: mastercardVariables,
    identity: ({ merchantId }) => ({ MERCHANT_ID: merchantId }),
    shown: ['URL', 'MERCHANT_ID', 'API_VERSION', 'CURRENCIES', 'MODE', 'CHECKOUT', 'CAPTURE_WITHIN_HOURS'],
    settings: mastercardSettings,
    configs: ({ mastercard, mastercardTest }) => [mastercard, mastercardTest],
    connect: mastercardConnector,
  }),
  paynow: kindOf({
    label: 'Paynow',
    prefix: 'PAYNOW_',
    variables: paynowVariables,
    identity: ({ integrations }: PaynowConfig) => ({
      USD_ID: integrations.USD?.id,
      ZWG_ID: integrations.ZWG?.id,
    }),
    shown: ['URL', 'EMAIL', 'USD_ID', 'ZWG_ID'],
    settings: paynowSettings,
    configs: ({ paynow, paynowTest }) => [paynow, paynowTest],
    connect: paynowConnector,
  }),
  pesepay: kindOf({
    label: 'Pesepay',
    prefix: 'PESEPAY_',
    variables: pesepayVariables,
    identity: () => ({}),
    shown: [
      'URL',
      'CURRENCIES',
      'ECOCASH_CODE_USD',
      'ECOCASH_CODE_ZWG',
      'INNBUCKS_CODE_USD',
      'INNBUCKS_CODE_ZWG',
      'TEST_NUMBERS',
    ],
    settings: pesepaySettings,
    configs: ({ pesepay, pesepayTest }) => [pesepay, pesepayTest],
    connect: pesepayConnector,
  }),
}

/** The limits of amounts of every provider's accounts, such as ECOCASH_LIMITS. */
export const limitSettings = limitsOf(Object.values(catalogue).map(({ prefix }) => prefix))
