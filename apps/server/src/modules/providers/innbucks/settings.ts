import { z } from 'zod'
import { type ConfigOf, naming, providerSettings, required, shown } from '../account-settings.ts'
import { providerAddress } from '../provider-address.ts'
import { type InnbucksAccount, type InnbucksCurrency, innbucksCurrencies } from './config.ts'

const text = z.string().max(500).optional()

const namesOf = (currency: InnbucksCurrency) =>
  (['USERNAME', 'PASSWORD', 'API_KEY'] as const).map((part) => `${currency}_${part}` as const)

/** The accounts at InnBucks, one for each currency. */
export const innbucksSettings = providerSettings({
  key: 'innbucks',
  prefix: 'INNBUCKS_',
  variables: (place) =>
    z
      .object({
        /** Above `/auth` and `/api`. */
        URL: shown(required.pipe(providerAddress(place))),
        USD_USERNAME: naming(text),
        USD_PASSWORD: text,
        USD_API_KEY: text,
        ZWG_USERNAME: naming(text),
        ZWG_PASSWORD: text,
        ZWG_API_KEY: text,
      })
      .superRefine((env, ctx) => {
        const issue = (name: string, message: string) =>
          ctx.addIssue({ code: 'custom', path: [name], message })
        const begun = innbucksCurrencies.filter((currency) => namesOf(currency).some((name) => env[name]))
        for (const currency of begun)
          for (const name of namesOf(currency))
            if (!env[name]) issue(name, `is missing: other credentials of the ${currency} account are there`)
        if (begun.length === 0) issue('USD_USERNAME', 'is missing: InnBucks needs an account in one currency')
      }),
  simulated: (simulatorUrl) => ({
    URL: `${simulatorUrl}/innbucks`,
    USD_USERNAME: 'muripo-usd',
    USD_PASSWORD: 'simulator',
    USD_API_KEY: 'simulator-usd',
    ZWG_USERNAME: 'muripo-zwg',
    ZWG_PASSWORD: 'simulator',
    ZWG_API_KEY: 'simulator-zwg',
  }),
  isSimulatedWhole: true,
  configOf: (env) => ({
    baseUrl: env.URL,
    accounts: Object.fromEntries(
      innbucksCurrencies.flatMap((currency) => {
        const [username, password, apiKey] = namesOf(currency).map((name) => env[name])
        return username && password && apiKey ? [[currency, { username, password, apiKey }] as const] : []
      }),
    ) as Readonly<Partial<Record<InnbucksCurrency, InnbucksAccount>>>,
  }),
})

export type InnbucksConfig = ConfigOf<typeof innbucksSettings>
