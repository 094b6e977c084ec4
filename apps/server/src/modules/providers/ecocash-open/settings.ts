import { z } from 'zod'
import { type Deployment, type Environment, oneOf, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'
import { testNumbers } from '../test-numbers.ts'
import type { EcocashOpenConfig } from './config.ts'

export const ecocashOpenVariables = ['URL', 'API_KEY', 'MERCHANT_CODE', 'ZWG_CODE', 'REFUND_REFERENCE']

const PRODUCTION_URL = 'https://developers.ecocash.co.zw/api/ecocash_pay'

/**
 * The applications at the EcoCash Open API. The second one is for payments with test keys of a live gateway; null: none. Payments with test
 * keys use the sandbox only.
 */
export function ecocashOpenSettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's key is valid nowhere else. */
  const simulated = { URL: `${simulatorUrl}/ecocash-open`, API_KEY: 'simulator' }

  const account = (environment: EcocashOpenConfig['environment']) =>
    z
      .object({
        URL: z
          .string()
          .default(isProduction ? PRODUCTION_URL : simulated.URL)
          .pipe(providerAddress({ mode })),
        API_KEY: z.string('is missing: other settings of the application are there').max(500),
        MERCHANT_CODE: z.string().max(100).optional(),
        ZWG_CODE: oneOf('ZWG', 'ZiG').default('ZWG'),
        REFUND_REFERENCE: oneOf('ecocashReference', 'sourceReference').default('ecocashReference'),
      })
      .transform((env) => ({
        baseUrl: env.URL,
        apiKey: env.API_KEY,
        environment,
        merchantCode: env.MERCHANT_CODE ?? null,
        zwgCode: env.ZWG_CODE,
        refundReference: env.REFUND_REFERENCE,
      }))

  return z
    .preprocess(
      (env: Environment) => ({
        ECOCASH_OPEN_:
          variablesOf(env, 'ECOCASH_OPEN_', ecocashOpenVariables) ?? (isProduction ? undefined : simulated),
        ECOCASH_OPEN_TEST_:
          keyMode === 'live' ? variablesOf(env, 'ECOCASH_OPEN_TEST_', ecocashOpenVariables) : undefined,
        ECOCASH_OPEN_TEST_NUMBERS: env.ECOCASH_OPEN_TEST_NUMBERS,
      }),
      z.object({
        ECOCASH_OPEN_: account(keyMode === 'live' ? 'live' : 'sandbox').optional(),
        ECOCASH_OPEN_TEST_: account('sandbox').optional(),
        ECOCASH_OPEN_TEST_NUMBERS: testNumbers,
      }),
    )
    .transform((env) => {
      const numbers = env.ECOCASH_OPEN_TEST_NUMBERS
      return {
        // The simulator prompts any number in development.
        ecocashOpen: env.ECOCASH_OPEN_
          ? { ...env.ECOCASH_OPEN_, testNumbers: isProduction && keyMode === 'test' ? numbers : null }
          : null,
        ecocashOpenTest: env.ECOCASH_OPEN_TEST_ ? { ...env.ECOCASH_OPEN_TEST_, testNumbers: numbers } : null,
      }
    })
}
