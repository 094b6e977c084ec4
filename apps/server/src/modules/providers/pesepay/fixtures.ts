import type { PesepayConfig } from './config.ts'

/** The account of the simulator. */
export const configFor = (baseUrl: string, change: Partial<PesepayConfig> = {}): PesepayConfig => ({
  baseUrl,
  integrationKey: 'simulator',
  encryptionKey: 'simulatorsimulatorsimulator01234',
  currencies: ['USD', 'ZWG'],
  timeoutMs: 2000,
  ...change,
})
