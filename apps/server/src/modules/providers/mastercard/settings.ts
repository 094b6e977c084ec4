import { currencies } from '@muripo/contract/money'
import { z } from 'zod'
import { type Deployment, type Environment, integer, oneOf, variablesOf } from '../../../platform/settings.ts'
import { providerAddress } from '../provider-address.ts'

const variables = ['URL', 'MERCHANT_ID', 'PASSWORD', 'API_VERSION', 'CURRENCIES', 'NOTIFICATION_SECRET']
const options = ['MODE', 'CHECKOUT', 'CAPTURE_WITHIN_HOURS']
export const mastercardVariables = [...variables, ...options]

const isCurrency = (text: string): text is (typeof currencies)[number] =>
  (currencies as readonly string[]).includes(text)

/** The options hold for the simulator too. */
function accountIn(env: Environment, prefix: string, simulated?: Record<string, string>) {
  const account = variablesOf(env, prefix, variables) ?? simulated
  const chosen = variablesOf(env, prefix, options)
  return account || chosen ? { ...account, ...chosen } : undefined
}

/** Only the merchant ids of test profiles begin with this word. */
const TEST_PREFIX = 'TEST'

const HOUR_MS = 60 * 60_000
/** Banks keep an authorisation for seven days, and some for thirty. The last hour is for the void. */
const DEFAULT_HOURS = 7 * 24 - 1
const MOST_HOURS = 30 * 24

/**
 * The card accounts at the acquiring bank. The second one is for payments with test keys of a live gateway; null: no account, and no
 * payment by card.
 */
export function mastercardSettings({ mode, keyMode, simulatorUrl }: Deployment) {
  const isProduction = mode === 'production'
  /** The simulator's credentials are valid nowhere else. */
  const simulated = {
    URL: `${simulatorUrl}/mastercard`,
    MERCHANT_ID: 'TESTMURIPO',
    PASSWORD: 'simulator',
    NOTIFICATION_SECRET: 'simulator',
  }
  const missing = 'is missing: the other settings of the card account are there'

  const account = (isTest: boolean) =>
    z
      .object({
        URL: z.string(missing).pipe(providerAddress({ mode })),
        MERCHANT_ID: z
          .string(missing)
          .regex(/^[\w-]{1,40}$/, 'must be a merchant id of the gateway')
          .refine((id) => !isProduction || id.startsWith(TEST_PREFIX) === isTest, {
            error: isTest
              ? `must begin with ${TEST_PREFIX}: test keys never use real cards`
              : `must not begin with ${TEST_PREFIX}: the cards of a test account are not real`,
          }),
        PASSWORD: z.string(missing),
        API_VERSION: integer(63, 999).default(100),
        CURRENCIES: z
          .string()
          .default('USD, ZWG')
          .transform((text) => text.split(',').map((code) => code.trim()))
          .refine((codes): codes is (typeof currencies)[number][] => codes.every(isCurrency), {
            error: `must be some of ${currencies.join(', ')}, separated by commas`,
          }),
        MODE: oneOf('pay', 'authorise').default('pay'),
        CHECKOUT: oneOf('page', 'session').default('page'),
        CAPTURE_WITHIN_HOURS: integer(1, MOST_HOURS).default(DEFAULT_HOURS),
        NOTIFICATION_SECRET: z.string().max(200).optional(),
      })
      .transform((env) => ({
        url: env.URL,
        merchantId: env.MERCHANT_ID,
        password: env.PASSWORD,
        apiVersion: env.API_VERSION,
        currencies: env.CURRENCIES,
        mode: env.MODE,
        checkout: env.CHECKOUT,
        captureWithinMs: env.CAPTURE_WITHIN_HOURS * HOUR_MS,
        notificationSecret: env.NOTIFICATION_SECRET ?? null,
      }))

  return z
    .preprocess(
      (env: Environment) => ({
        MASTERCARD_: accountIn(env, 'MASTERCARD_', isProduction ? undefined : simulated),
        MASTERCARD_TEST_: keyMode === 'live' ? accountIn(env, 'MASTERCARD_TEST_') : undefined,
      }),
      z.object({
        MASTERCARD_: account(keyMode === 'test').optional(),
        MASTERCARD_TEST_: account(true).optional(),
      }),
    )
    .transform((env) => ({
      mastercard: env.MASTERCARD_ ?? null,
      mastercardTest: env.MASTERCARD_TEST_ ?? null,
    }))
}
