import type { EcocashOpenConfig } from './settings.ts'

export const configFor = (baseUrl: string, change: Partial<EcocashOpenConfig> = {}): EcocashOpenConfig => ({
  baseUrl,
  apiKey: 'simulator',
  environment: 'sandbox',
  merchantCode: null,
  zwgCode: 'ZWG',
  refundReference: 'ecocashReference',
  testNumbers: null,
  ...change,
})
