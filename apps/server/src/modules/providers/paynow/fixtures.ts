import { simulatedAccount } from '../fixtures.ts'
import type { Integration } from './config.ts'
import { type PaynowConfig, paynowSettings } from './settings.ts'

export const configFor = (baseUrl: string, change: Partial<PaynowConfig> = {}): PaynowConfig => ({
  ...simulatedAccount(paynowSettings, baseUrl),
  ...change,
})

export const usd = configFor('').integrations.USD as Integration
