import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'
import { numberList } from '../test-numbers.ts'
import { type PesepayConfig, pesepayCurrencies } from './config.ts'

const codes = ['ECOCASH_CODE_USD', 'ECOCASH_CODE_ZWG', 'INNBUCKS_CODE_USD', 'INNBUCKS_CODE_ZWG'] as const
export const pesepayVariables = ['URL', 'INTEGRATION_KEY', 'ENCRYPTION_KEY', 'CURRENCIES', ...codes]

type PesepayCurrency = (typeof pesepayCurrencies)[number]
const isCurrency = (text: string): text is PesepayCurrency =>
  (pesepayCurrencies as readonly string[]).includes(text)

/** The accounts at Pesepay. The second one is for payments with test keys of a live gateway; null: no account. */
export function pesepaySettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's credentials are valid nowhere else. */
  const simulated = {
    URL: `${simulatorUrl}/pesepay`,
    INTEGRATION_KEY: 'simulator',
    ENCRYPTION_KEY: 'simulatorsimulatorsimulator01234',
    // The codes in ZiG are not published; these are the simulator's.
    ECOCASH_CODE_ZWG: 'SIM211',
    INNBUCKS_CODE_ZWG: 'SIM212',
  }
  const missing = 'is missing: the other settings of the Pesepay account are there'

  const code = z.string().regex(/^[\w-]{1,40}$/, 'must be a code of a payment method')
  const account = z
    .object({
      URL: z.string(missing).pipe(providerAddress({ mode })),
      INTEGRATION_KEY: z.string(missing).max(200),
      ENCRYPTION_KEY: z.string(missing).regex(/^[\x21-\x7e]{32}$/, 'must have 32 letters, digits or signs'),
      CURRENCIES: z
        .string()
        .default(pesepayCurrencies.join(', '))
        .transform((text) => text.split(',').map((code) => code.trim()))
        .refine((codes): codes is PesepayCurrency[] => codes.every(isCurrency), {
          error: `must be some of ${pesepayCurrencies.join(', ')}, separated by commas`,
        }),
      // Pesepay publishes the codes in US dollars.
      ECOCASH_CODE_USD: code.default('PZW211'),
      ECOCASH_CODE_ZWG: code.optional(),
      INNBUCKS_CODE_USD: code.default('PZW212'),
      INNBUCKS_CODE_ZWG: code.optional(),
    })
    .transform(
      (env): Omit<PesepayConfig, 'testNumbers'> => ({
        baseUrl: env.URL,
        integrationKey: env.INTEGRATION_KEY,
        encryptionKey: env.ENCRYPTION_KEY,
        currencies: env.CURRENCIES,
        walletCodes: {
          ecocash: {
            USD: env.ECOCASH_CODE_USD,
            ...(env.ECOCASH_CODE_ZWG && { ZWG: env.ECOCASH_CODE_ZWG }),
          },
          innbucks: {
            USD: env.INNBUCKS_CODE_USD,
            ...(env.INNBUCKS_CODE_ZWG && { ZWG: env.INNBUCKS_CODE_ZWG }),
          },
        },
      }),
    )

  return z
    .preprocess(
      (env: Environment) => ({
        PESEPAY_: variablesOf(env, 'PESEPAY_', pesepayVariables) ?? (isProduction ? undefined : simulated),
        PESEPAY_TEST_: keyMode === 'live' ? variablesOf(env, 'PESEPAY_TEST_', pesepayVariables) : undefined,
        PESEPAY_TEST_NUMBERS: env.PESEPAY_TEST_NUMBERS,
      }),
      z.object({
        PESEPAY_: account.optional(),
        PESEPAY_TEST_: account.optional(),
        PESEPAY_TEST_NUMBERS: numberList.prefault('077 777 7777, 077 000 0000'),
      }),
    )
    .transform((env): Record<'pesepay' | 'pesepayTest', PesepayConfig | null> => {
      const { PESEPAY_: own, PESEPAY_TEST_: forTests, PESEPAY_TEST_NUMBERS: testNumbers } = env
      return {
        // The simulator prompts any number in development.
        pesepay: own
          ? { ...own, testNumbers: isProduction && keyMode === 'test' ? testNumbers : null }
          : null,
        pesepayTest: forTests ? { ...forTests, testNumbers } : null,
      }
    })
}
