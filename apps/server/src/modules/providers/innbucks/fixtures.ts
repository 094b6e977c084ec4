import { simulatedAccount } from '../fixtures.ts'
import { type InnbucksConfig, innbucksSettings } from './settings.ts'

/** The accounts of the simulator. */
export const configFor = (baseUrl: string, change: Partial<InnbucksConfig> = {}): InnbucksConfig => ({
  ...simulatedAccount(innbucksSettings, baseUrl),
  ...change,
})
