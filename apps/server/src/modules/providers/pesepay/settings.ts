import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'
import { type PesepayConfig, pesepayCurrencies } from './config.ts'

const variables = ['URL', 'INTEGRATION_KEY', 'ENCRYPTION_KEY', 'CURRENCIES']

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
  }
  const missing = 'is missing: the other settings of the Pesepay account are there'

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
    })
    .transform(
      (env): PesepayConfig => ({
        baseUrl: env.URL,
        integrationKey: env.INTEGRATION_KEY,
        encryptionKey: env.ENCRYPTION_KEY,
        currencies: env.CURRENCIES,
      }),
    )

  return z
    .preprocess(
      (env: Environment) => ({
        PESEPAY_: variablesOf(env, 'PESEPAY_', variables) ?? (isProduction ? undefined : simulated),
        PESEPAY_TEST_: keyMode === 'live' ? variablesOf(env, 'PESEPAY_TEST_', variables) : undefined,
      }),
      z.object({ PESEPAY_: account.optional(), PESEPAY_TEST_: account.optional() }),
    )
    .transform((env) => ({ pesepay: env.PESEPAY_ ?? null, pesepayTest: env.PESEPAY_TEST_ ?? null }))
}
