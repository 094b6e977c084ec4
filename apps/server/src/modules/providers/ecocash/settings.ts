import type { Currency } from '@muripo/contract/money'
import { z } from 'zod'
import { type ConfigOf, naming, providerSettings, required, shown } from '../account-settings.ts'
import { needsVariables } from '../method-routes.ts'
import { providerAddress } from '../provider-address.ts'
import { testNumbers } from '../test-numbers.ts'

/** The settings that EcoCash gives to a merchant. No account: another provider serves EcoCash payments. */
export const ecocashSettings = providerSettings({
  key: 'ecocash',
  prefix: 'ECOCASH_',
  variables: (place) =>
    z.object({
      /** Up to and including `/payment/v1`; EcoCash states it for each deployment. */
      URL: shown(required.pipe(providerAddress(place))),
      USERNAME: required,
      PASSWORD: required,
      MERCHANT_CODE: naming(required),
      MERCHANT_PIN: required,
      MERCHANT_NUMBER: naming(required),
      /** REF is the refund, and REV the reversal. Both take the reference of the charge and an amount of at most the charge. */
      REFUND_TYPE: shown(z.enum(['REF', 'REV']).default('REF')),
      /** The wallet's code that opens a pending prompt. */
      DIAL_IN: shown(
        z
          .string()
          .regex(/^\*[0-9*]{1,20}#$/, 'must be a code like *151#')
          .optional(),
      ),
    }),
  simulated: (simulatorUrl) => ({
    URL: `${simulatorUrl}/ecocash/payment/v1`,
    USERNAME: 'muripo',
    PASSWORD: 'simulator',
    MERCHANT_CODE: '00001',
    MERCHANT_PIN: '0000',
    MERCHANT_NUMBER: '771000000',
    DIAL_IN: '*151*2*4#',
  }),
  isNeeded: (env) => needsVariables(env, 'ecocash', 'ecocash'),
  testNumbers,
  configOf: (env, _place, numbers) => ({
    baseUrl: env.URL,
    username: env.USERNAME,
    password: env.PASSWORD,
    merchantCode: env.MERCHANT_CODE,
    merchantPin: env.MERCHANT_PIN,
    merchantNumber: env.MERCHANT_NUMBER,
    refundType: env.REFUND_TYPE,
    dialIn: env.DIAL_IN,
    testNumbers: numbers,
  }),
})

export type EcocashConfig = ConfigOf<typeof ecocashSettings> & {
  readonly location?: string
  /** Currency codes of deployments that differ, such as `USD-FCA` of an older integration. */
  readonly currencyCodes?: Partial<Record<Currency, string>>
}
