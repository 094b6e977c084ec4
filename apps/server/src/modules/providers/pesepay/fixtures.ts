import { simulatedAccount } from '../fixtures.ts'
import { type PesepayConfig, pesepaySettings } from './settings.ts'

/** The account of the simulator. */
export const configFor = (baseUrl: string, change: Partial<PesepayConfig> = {}): PesepayConfig => ({
  ...simulatedAccount(pesepaySettings, baseUrl),
  ...change,
})
