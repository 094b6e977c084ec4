import { currencies } from '@muripo/contract/money'
import { z } from 'zod'
import { integer, oneOf } from '../../../platform/settings.ts'
import { type ConfigOf, naming, providerSettings, required, shown, someOf } from '../account-settings.ts'
import { providerAddress } from '../provider-address.ts'

/** Only the merchant ids of test profiles begin with this word. */
const TEST_PREFIX = 'TEST'

const HOUR_MS = 60 * 60_000
/** Banks keep an authorisation for seven days, and some for thirty. The last hour is for the void. */
const DEFAULT_HOURS = 7 * 24 - 1
const MOST_HOURS = 30 * 24

/** The settings that the acquiring bank gives to a merchant. No account: no payment by card. */
export const mastercardSettings = providerSettings({
  key: 'mastercard',
  prefix: 'MASTERCARD_',
  variables: ({ isProduction, isForTests }) =>
    z.object({
      /** The bank's address of the gateway, without a path of the interface. */
      URL: shown(required.pipe(providerAddress({ isProduction }))),
      MERCHANT_ID: naming(
        required
          .regex(/^[\w-]{1,40}$/, 'must be a merchant id of the gateway')
          .refine((id) => !isProduction || id.startsWith(TEST_PREFIX) === isForTests, {
            error: isForTests
              ? `must begin with ${TEST_PREFIX}: test keys never use real cards`
              : `must not begin with ${TEST_PREFIX}: the cards of a test account are not real`,
          }),
      ),
      PASSWORD: required,
      API_VERSION: shown(integer(63, 999).default(100)),
      /** The currencies that the bank has enabled. */
      CURRENCIES: shown(someOf(currencies, ['USD', 'ZWG'])),
      /** pay: the card is debited at once. authorise: the amount is reserved, and captured when the authorisation is confirmed. */
      MODE: shown(oneOf('pay', 'authorise').default('pay')),
      /** page: the payer enters the card on the gateway's page. session: in the gateway's fields on our page. */
      CHECKOUT: shown(oneOf('page', 'session').default('page')),
      /** The time after which an authorisation that waits for a merchant's capture is voided. */
      CAPTURE_WITHIN_HOURS: shown(integer(1, MOST_HOURS).default(DEFAULT_HOURS)),
      /** The secret that notifications carry; absent when none is agreed. */
      NOTIFICATION_SECRET: z.string().max(200).optional(),
    }),
  simulated: (simulatorUrl) => ({
    URL: `${simulatorUrl}/mastercard`,
    MERCHANT_ID: 'TESTMURIPO',
    PASSWORD: 'simulator',
    NOTIFICATION_SECRET: 'simulator',
  }),
  isSimulatedWhole: true,
  configOf: (env) => ({
    baseUrl: env.URL,
    merchantId: env.MERCHANT_ID,
    password: env.PASSWORD,
    apiVersion: env.API_VERSION,
    currencies: env.CURRENCIES,
    mode: env.MODE,
    checkout: env.CHECKOUT,
    captureWithinMs: env.CAPTURE_WITHIN_HOURS * HOUR_MS,
    notificationSecret: env.NOTIFICATION_SECRET ?? null,
  }),
})

export type MastercardConfig = ConfigOf<typeof mastercardSettings>
