import type { PesepayConfig } from './settings.ts'

/** The account of the simulator. */
export const configFor = (baseUrl: string, change: Partial<PesepayConfig> = {}): PesepayConfig => ({
  baseUrl,
  integrationKey: 'simulator',
  encryptionKey: 'simulatorsimulatorsimulator01234',
  currencies: ['USD', 'ZWG'],
  walletCodes: {
    ecocash: { USD: 'PZW211', ZWG: 'SIM211' },
    innbucks: { USD: 'PZW212', ZWG: 'SIM212' },
  },
  testNumbers: null,
  ...change,
})
