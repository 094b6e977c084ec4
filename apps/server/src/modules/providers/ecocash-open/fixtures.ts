import { simulatedAccount } from '../fixtures.ts'
import { type EcocashOpenConfig, ecocashOpenSettings } from './settings.ts'

export const configFor = (baseUrl: string, change: Partial<EcocashOpenConfig> = {}): EcocashOpenConfig => ({
  ...simulatedAccount(ecocashOpenSettings, baseUrl),
  ...change,
})
