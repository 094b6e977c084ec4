import type { Currency } from '@muripo/contract/money'

export interface SampleConfig {
  /** The address above `/charges`. */
  readonly baseUrl: string
}

export const sampleCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
