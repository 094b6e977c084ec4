import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'
import { type InnbucksAccount, type InnbucksCurrency, innbucksCurrencies } from './config.ts'

const parts = ['USERNAME', 'PASSWORD', 'API_KEY'] as const
const namesOf = (currency: InnbucksCurrency) => parts.map((part) => `${currency}_${part}` as const)
export const innbucksVariables = ['URL', ...innbucksCurrencies.flatMap(namesOf)]

/**
 * The accounts at InnBucks, one for each currency. The second ones are for payments with test keys of a live gateway; null: no account, and
 * no payment with InnBucks.
 */
export function innbucksSettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's credentials are valid nowhere else. */
  const simulated = {
    URL: `${simulatorUrl}/innbucks`,
    USD_USERNAME: 'muripo-usd',
    USD_PASSWORD: 'simulator',
    USD_API_KEY: 'simulator-usd',
    ZWG_USERNAME: 'muripo-zwg',
    ZWG_PASSWORD: 'simulator',
    ZWG_API_KEY: 'simulator-zwg',
  }

  const text = z.string().max(500).optional()
  const accounts = z
    .object({
      URL: z.string('is missing: the credentials of an account are there').pipe(providerAddress({ mode })),
      USD_USERNAME: text,
      USD_PASSWORD: text,
      USD_API_KEY: text,
      ZWG_USERNAME: text,
      ZWG_PASSWORD: text,
      ZWG_API_KEY: text,
    })
    .superRefine((env, ctx) => {
      const issue = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message })
      const begun = innbucksCurrencies.filter((currency) => namesOf(currency).some((name) => env[name]))
      for (const currency of begun)
        for (const name of namesOf(currency))
          if (!env[name]) issue(name, `is missing: other credentials of the ${currency} account are there`)
      if (begun.length === 0) issue('USD_USERNAME', 'is missing: InnBucks needs an account in one currency')
    })
    .transform((env) => ({
      baseUrl: env.URL,
      accounts: Object.fromEntries(
        innbucksCurrencies.flatMap((currency) => {
          const [username, password, apiKey] = namesOf(currency).map((name) => env[name])
          return username && password && apiKey ? [[currency, { username, password, apiKey }] as const] : []
        }),
      ) as Partial<Record<InnbucksCurrency, InnbucksAccount>>,
    }))

  return z
    .preprocess(
      (env: Environment) => ({
        INNBUCKS_: variablesOf(env, 'INNBUCKS_', innbucksVariables) ?? (isProduction ? undefined : simulated),
        INNBUCKS_TEST_:
          keyMode === 'live' ? variablesOf(env, 'INNBUCKS_TEST_', innbucksVariables) : undefined,
      }),
      z.object({ INNBUCKS_: accounts.optional(), INNBUCKS_TEST_: accounts.optional() }),
    )
    .transform((env) => ({ innbucks: env.INNBUCKS_ ?? null, innbucksTest: env.INNBUCKS_TEST_ ?? null }))
}
