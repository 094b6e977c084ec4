import type { Currency } from '@muripo/contract/money'
import { z } from 'zod'
import { type ConfigOf, providerSettings, required, shown, someOf } from '../account-settings.ts'
import { providerAddress } from '../provider-address.ts'
import { numberList } from '../test-numbers.ts'
import { pesepayCurrencies, type Wallet } from './config.ts'

const code = z.string().regex(/^[\w-]{1,40}$/, 'must be a code of a payment method')

/** The credentials of an application in Pesepay's dashboard. */
export const pesepaySettings = providerSettings({
  key: 'pesepay',
  prefix: 'PESEPAY_',
  variables: (place) =>
    z.object({
      URL: shown(required.pipe(providerAddress(place))),
      INTEGRATION_KEY: required.max(200),
      /** Its first 16 characters are the initialisation vector too. */
      ENCRYPTION_KEY: required.regex(/^[\x21-\x7e]{32}$/, 'must have 32 letters, digits or signs'),
      CURRENCIES: shown(someOf(pesepayCurrencies)),
      ECOCASH_CODE_USD: shown(code.default('PZW211')),
      ECOCASH_CODE_ZWG: shown(code.optional()),
      INNBUCKS_CODE_USD: shown(code.default('PZW212')),
      INNBUCKS_CODE_ZWG: shown(code.optional()),
    }),
  simulated: (simulatorUrl) => ({
    URL: `${simulatorUrl}/pesepay`,
    INTEGRATION_KEY: 'simulator',
    ENCRYPTION_KEY: 'simulatorsimulatorsimulator01234',
    // The codes in ZiG are not published; these are the simulator's.
    ECOCASH_CODE_ZWG: 'SIM211',
    INNBUCKS_CODE_ZWG: 'SIM212',
  }),
  isSimulatedWhole: true,
  testNumbers: numberList.prefault('077 777 7777, 077 000 0000'),
  configOf: (env, _place, numbers) => ({
    baseUrl: env.URL,
    integrationKey: env.INTEGRATION_KEY,
    encryptionKey: env.ENCRYPTION_KEY,
    currencies: env.CURRENCIES,
    /** Pesepay's codes of the wallets, which differ by currency. A wallet without a code is not taken in the currency. */
    walletCodes: {
      ecocash: { USD: env.ECOCASH_CODE_USD, ...(env.ECOCASH_CODE_ZWG && { ZWG: env.ECOCASH_CODE_ZWG }) },
      innbucks: { USD: env.INNBUCKS_CODE_USD, ...(env.INNBUCKS_CODE_ZWG && { ZWG: env.INNBUCKS_CODE_ZWG }) },
    } as Readonly<Record<Wallet, Readonly<Partial<Record<Currency, string>>>>>,
    testNumbers: numbers,
  }),
})

export type PesepayConfig = ConfigOf<typeof pesepaySettings>
