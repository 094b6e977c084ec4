import { z } from 'zod'
import { type ConfigOf, naming, providerSettings, shown } from '../account-settings.ts'
import { providerAddress } from '../provider-address.ts'
import { type Integration, type PaynowCurrency, paynowCurrencies, paynowTestNumbers } from './config.ts'

const text = z.string().max(200).optional()

/** The accounts at Paynow: an integration for each currency. */
export const paynowSettings = providerSettings({
  key: 'paynow',
  prefix: 'PAYNOW_',
  variables: (place) =>
    z
      .object({
        /** Above `/interface`. */
        URL: shown(providerAddress(place).default('https://www.paynow.co.zw')),
        /** The merchant's address at Paynow, for payers without an address and for every payment in test mode. */
        EMAIL: shown(z.email({ error: "must be the merchant's email address at Paynow" })),
        USD_ID: naming(text),
        USD_KEY: text,
        ZWG_ID: naming(text),
        ZWG_KEY: text,
      })
      .superRefine((env, ctx) => {
        const issue = (name: string, message: string) =>
          ctx.addIssue({ code: 'custom', path: [name], message })
        for (const currency of paynowCurrencies) {
          const [id, key] = [`${currency}_ID`, `${currency}_KEY`] as const
          if (env[id] !== undefined && env[key] === undefined)
            issue(key, 'is missing: the integration ID is set')
          if (env[key] !== undefined && env[id] === undefined)
            issue(id, 'is missing: the integration key is set')
        }
        if (env.USD_ID === undefined && env.ZWG_ID === undefined)
          issue('USD_ID', 'is missing: Paynow needs the integration of a currency')
      }),
  simulated: (simulatorUrl) => ({
    URL: `${simulatorUrl}/paynow`,
    EMAIL: 'merchant@muripo.example',
    USD_ID: '1201',
    USD_KEY: '3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977',
    ZWG_ID: '1202',
    ZWG_KEY: '0d6a1b52-7c3f-4f0e-9a61-2f4f6f0c7a18',
  }),
  configOf(env, { isProduction, isForTests }) {
    const integrations = paynowCurrencies.flatMap((currency) => {
      const [id, key] = [env[`${currency}_ID`], env[`${currency}_KEY`]]
      return id !== undefined && key !== undefined ? [[currency, { id, key }] as const] : []
    })
    return {
      baseUrl: env.URL,
      email: env.EMAIL,
      integrations: Object.fromEntries(integrations) as Readonly<
        Partial<Record<PaynowCurrency, Integration>>
      >,
      /** The integrations are in test mode, in which Paynow decides by the number and accepts no address but the merchant's. */
      testMode: isForTests,
      testNumbers: isProduction && isForTests ? (paynowTestNumbers as readonly string[]) : null,
    }
  },
})

export type PaynowConfig = ConfigOf<typeof paynowSettings>
