import { z } from 'zod'
import { type Deployment, type Environment, variablesOf } from '../../../platform/settings.ts'
import { needsVariables } from '../method-routes.ts'
import { providerAddress } from '../provider-address.ts'
import { testNumbers } from '../test-numbers.ts'
import { refundTypes } from './config.ts'

/**
 * The accounts at EcoCash. The first one is null when another provider serves EcoCash payments; the second one, or null, is for payments with test keys of a live
 * gateway.
 */
export function ecocashSettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's credentials are valid nowhere else. */
  const account = (hint: string) => {
    const text = (simulated: string) =>
      isProduction ? z.string(`is missing: ${hint}`) : z.string().default(simulated)
    return z
      .object({
        URL: text(`${simulatorUrl}/ecocash/payment/v1`).pipe(providerAddress({ mode })),
        USERNAME: text('muripo'),
        PASSWORD: text('simulator'),
        MERCHANT_CODE: text('00001'),
        MERCHANT_PIN: text('0000'),
        MERCHANT_NUMBER: text('771000000'),
        REFUND_TYPE: z.enum(refundTypes).default('REF'),
        DIAL_IN: isProduction ? dialIn : dialIn.default('*151*2*4#'),
      })
      .transform((env) => ({
        baseUrl: env.URL,
        username: env.USERNAME,
        password: env.PASSWORD,
        merchantCode: env.MERCHANT_CODE,
        merchantPin: env.MERCHANT_PIN,
        merchantNumber: env.MERCHANT_NUMBER,
        refundType: env.REFUND_TYPE,
        dialIn: env.DIAL_IN,
      }))
  }

  return z
    .preprocess(
      (env: Environment) => ({
        ECOCASH_:
          variablesOf(env, 'ECOCASH_', ecocashVariables) ??
          (needsVariables(env, 'ecocash', 'ecocash') ? {} : undefined),
        ECOCASH_TEST_: keyMode === 'live' ? variablesOf(env, 'ECOCASH_TEST_', ecocashVariables) : undefined,
        ECOCASH_TEST_NUMBERS: env.ECOCASH_TEST_NUMBERS,
      }),
      z.object({
        ECOCASH_: account('production needs the address and the credentials of the provider').optional(),
        ECOCASH_TEST_: account('the other ECOCASH_TEST_ settings are there').optional(),
        ECOCASH_TEST_NUMBERS: testNumbers,
      }),
    )
    .transform((env) => ({
      // The simulator prompts any number in development.
      ecocash: env.ECOCASH_
        ? {
            ...env.ECOCASH_,
            testNumbers: isProduction && keyMode === 'test' ? env.ECOCASH_TEST_NUMBERS : null,
          }
        : null,
      ecocashTest: env.ECOCASH_TEST_ ? { ...env.ECOCASH_TEST_, testNumbers: env.ECOCASH_TEST_NUMBERS } : null,
    }))
}

const dialIn = z
  .string()
  .regex(/^\*[0-9*]{1,20}#$/, 'must be a code like *151#')
  .optional()

export const ecocashVariables = [
  'URL',
  'USERNAME',
  'PASSWORD',
  'MERCHANT_CODE',
  'MERCHANT_PIN',
  'MERCHANT_NUMBER',
  'REFUND_TYPE',
  'DIAL_IN',
]
