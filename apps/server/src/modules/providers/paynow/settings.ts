import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'
import { type PaynowConfig, paynowCurrencies, paynowTestNumbers } from './config.ts'

export const paynowVariables = ['URL', 'EMAIL', 'USD_ID', 'USD_KEY', 'ZWG_ID', 'ZWG_KEY']

/** The accounts at Paynow. The second one is for payments with test keys of a live gateway; null: no account. */
export function paynowSettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's credentials are valid nowhere else. */
  const simulated = isProduction
    ? undefined
    : {
        URL: `${simulatorUrl}/paynow`,
        EMAIL: 'merchant@muripo.example',
        USD_ID: '1201',
        USD_KEY: '3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977',
        ZWG_ID: '1202',
        ZWG_KEY: '0d6a1b52-7c3f-4f0e-9a61-2f4f6f0c7a18',
      }

  const text = z.string().max(200).optional()
  const account = z
    .object({
      URL: providerAddress({ mode }).default('https://www.paynow.co.zw'),
      EMAIL: z.email({ error: "must be the merchant's email address at Paynow" }),
      USD_ID: text,
      USD_KEY: text,
      ZWG_ID: text,
      ZWG_KEY: text,
    })
    .superRefine((env, ctx) => {
      const issue = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message })
      for (const currency of paynowCurrencies) {
        const [id, key] = [`${currency}_ID`, `${currency}_KEY`] as const
        if (env[id] !== undefined && env[key] === undefined)
          issue(key, 'is missing: the integration ID is set')
        if (env[key] !== undefined && env[id] === undefined)
          issue(id, 'is missing: the integration key is set')
      }
      if (env.USD_ID === undefined && env.ZWG_ID === undefined)
        issue('USD_ID', 'is missing: Paynow needs the integration of a currency')
    })
    .transform((env) => {
      const integrations = paynowCurrencies.flatMap((currency) => {
        const [id, key] = [env[`${currency}_ID`], env[`${currency}_KEY`]]
        return id !== undefined && key !== undefined ? [[currency, { id, key }] as const] : []
      })
      return { baseUrl: env.URL, email: env.EMAIL, integrations: Object.fromEntries(integrations) }
    })

  return z
    .preprocess(
      (env: Environment) => {
        const own = variablesOf(env, 'PAYNOW_', paynowVariables)
        return {
          PAYNOW_: simulated ? { ...simulated, ...own } : own,
          PAYNOW_TEST_: keyMode === 'live' ? variablesOf(env, 'PAYNOW_TEST_', paynowVariables) : undefined,
        }
      },
      z.object({ PAYNOW_: account.optional(), PAYNOW_TEST_: account.optional() }),
    )
    .transform((env) => {
      const testMode = keyMode === 'test'
      // The simulator prompts any number in development.
      const own = { testMode, testNumbers: testMode && isProduction ? paynowTestNumbers : null }
      return {
        paynow: env.PAYNOW_ ? ({ ...env.PAYNOW_, ...own } satisfies PaynowConfig) : null,
        paynowTest: env.PAYNOW_TEST_
          ? ({ ...env.PAYNOW_TEST_, testMode: true, testNumbers: paynowTestNumbers } satisfies PaynowConfig)
          : null,
      }
    })
}
