import { z } from 'zod'
import { oneOf } from '../../../platform/settings.ts'
import { type ConfigOf, naming, providerSettings, shown } from '../account-settings.ts'
import { providerAddress } from '../provider-address.ts'
import { testNumbers } from '../test-numbers.ts'

/** The application that a merchant registers in EcoCash's developer portal. */
export const ecocashOpenSettings = providerSettings({
  key: 'ecocashOpen',
  prefix: 'ECOCASH_OPEN_',
  variables: (place) =>
    z.object({
      /** Above `/api/v1` and `/api/v2`. */
      URL: shown(
        z.string().default('https://developers.ecocash.co.zw/api/ecocash_pay').pipe(providerAddress(place)),
      ),
      API_KEY: z.string('is missing: other settings of the application are there').max(500),
      /** Sent in the header `Merchant`, which some integrations need. */
      MERCHANT_CODE: naming(z.string().max(100).optional()),
      /** The code of ZWG on the wire, which differs between integrations. */
      ZWG_CODE: shown(oneOf('ZWG', 'ZiG').default('ZWG')),
      /** The reference of the original payment in a refund: integrations differ. */
      REFUND_REFERENCE: shown(oneOf('ecocashReference', 'sourceReference').default('ecocashReference')),
    }),
  simulated: (simulatorUrl) => ({ URL: `${simulatorUrl}/ecocash-open`, API_KEY: 'simulator' }),
  testNumbers,
  configOf: (env, { isForTests }, numbers) => ({
    baseUrl: env.URL,
    apiKey: env.API_KEY,
    /** The last part of every path: sandbox moves no money. */
    environment: isForTests ? ('sandbox' as const) : ('live' as const),
    merchantCode: env.MERCHANT_CODE ?? null,
    zwgCode: env.ZWG_CODE,
    refundReference: env.REFUND_REFERENCE,
    testNumbers: numbers,
  }),
})

export type EcocashOpenConfig = ConfigOf<typeof ecocashOpenSettings>
