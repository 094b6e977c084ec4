import { join } from 'node:path'
import { z } from 'zod'

const Env = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  SIMULATOR_SPEED: z.coerce.number().positive().max(10_000).default(1),
  SIMULATOR_VOCABULARY: z.enum(['legacy', 'portal']).default('legacy'),
  SIMULATOR_KEEP: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  SIMULATOR_RECORDS: z.enum(['files', 'memory']).default('files'),
  SIMULATOR_ECOCASH_USERNAME: z.string().min(1).default('muripo'),
  SIMULATOR_ECOCASH_PASSWORD: z.string().min(1).default('simulator'),
  SIMULATOR_ECOCASH_MERCHANT_CODE: z.string().min(1).default('00001'),
  SIMULATOR_ECOCASH_MERCHANT_PIN: z.string().min(1).default('0000'),
  SIMULATOR_ECOCASH_OPEN_API_KEY: z.string().min(1).default('simulator'),
  SIMULATOR_MASTERCARD_MERCHANT_ID: z.string().min(1).default('TESTMURIPO'),
  SIMULATOR_MASTERCARD_PASSWORD: z.string().min(1).default('simulator'),
  SIMULATOR_MASTERCARD_NOTIFICATION_SECRET: z.string().min(1).default('simulator'),
  SIMULATOR_PAYNOW_USD_ID: z.string().min(1).default('1201'),
  SIMULATOR_PAYNOW_USD_KEY: z.string().min(1).default('3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977'),
  SIMULATOR_PAYNOW_ZWG_ID: z.string().min(1).default('1202'),
  SIMULATOR_PAYNOW_ZWG_KEY: z.string().min(1).default('0d6a1b52-7c3f-4f0e-9a61-2f4f6f0c7a18'),
  SIMULATOR_PESEPAY_INTEGRATION_KEY: z.string().min(1).default('simulator'),
  SIMULATOR_PESEPAY_ENCRYPTION_KEY: z.string().length(32).default('simulatorsimulatorsimulator01234'),
  MURIPO_DATA: z.string().min(1).default('data'),
})

export type Vocabulary = 'legacy' | 'portal'

export interface SimulatorConfig {
  readonly port: number
  /** All of the simulator's own delays are divided by it. */
  readonly speed: number
  readonly vocabulary: Vocabulary
  /** The number of stored transactions. */
  readonly keep: number
  readonly username: string
  /** Each is accepted, as by a provider while a merchant changes it. */
  readonly passwords: readonly string[]
  readonly merchantCode: string
  readonly merchantPin: string
  readonly ecocashOpenKey: string
  readonly mastercard: {
    readonly merchantId: string
    readonly password: string
    readonly notificationSecret: string
  }
  /** Each of Paynow's integrations has one currency. */
  readonly integrations: readonly {
    readonly id: string
    readonly key: string
    readonly currency: 'USD' | 'ZWG'
  }[]
  readonly pesepay: {
    readonly integrationKey: string
    readonly encryptionKey: string
  }
  /** Null: the records are kept in memory only. */
  readonly dataFolder: string | null
}

/** @throws Error naming every problem. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): SimulatorConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Env.safeParse(given)
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    )
  }
  const { data } = parsed
  return Object.freeze({
    port: data.SIMULATOR_PORT,
    speed: data.SIMULATOR_SPEED,
    vocabulary: data.SIMULATOR_VOCABULARY,
    keep: data.SIMULATOR_KEEP,
    username: data.SIMULATOR_ECOCASH_USERNAME,
    passwords: data.SIMULATOR_ECOCASH_PASSWORD.split(','),
    merchantCode: data.SIMULATOR_ECOCASH_MERCHANT_CODE,
    merchantPin: data.SIMULATOR_ECOCASH_MERCHANT_PIN,
    ecocashOpenKey: data.SIMULATOR_ECOCASH_OPEN_API_KEY,
    mastercard: {
      merchantId: data.SIMULATOR_MASTERCARD_MERCHANT_ID,
      password: data.SIMULATOR_MASTERCARD_PASSWORD,
      notificationSecret: data.SIMULATOR_MASTERCARD_NOTIFICATION_SECRET,
    },
    integrations: [
      { id: data.SIMULATOR_PAYNOW_USD_ID, key: data.SIMULATOR_PAYNOW_USD_KEY, currency: 'USD' as const },
      { id: data.SIMULATOR_PAYNOW_ZWG_ID, key: data.SIMULATOR_PAYNOW_ZWG_KEY, currency: 'ZWG' as const },
    ],
    pesepay: {
      integrationKey: data.SIMULATOR_PESEPAY_INTEGRATION_KEY,
      encryptionKey: data.SIMULATOR_PESEPAY_ENCRYPTION_KEY,
    },
    dataFolder: data.SIMULATOR_RECORDS === 'files' ? join(data.MURIPO_DATA, 'simulator') : null,
  })
}
