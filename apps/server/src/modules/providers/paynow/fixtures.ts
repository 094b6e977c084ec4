import type { PaynowConfig } from './settings.ts'

/** The integrations of the simulator. */
export const usd = { id: '1201', key: '3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977' }
const zwg = { id: '1202', key: '0d6a1b52-7c3f-4f0e-9a61-2f4f6f0c7a18' }

export const configFor = (baseUrl: string, change: Partial<PaynowConfig> = {}): PaynowConfig => ({
  baseUrl,
  integrations: { USD: usd, ZWG: zwg },
  email: 'merchant@muripo.example',
  testMode: true,
  testNumbers: null,
  ...change,
})
