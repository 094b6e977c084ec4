import type { InnbucksConfig } from './settings.ts'

/** The accounts of the simulator. */
export const configFor = (baseUrl: string, change: Partial<InnbucksConfig> = {}): InnbucksConfig => ({
  baseUrl,
  accounts: {
    USD: { username: 'muripo-usd', password: 'simulator', apiKey: 'simulator-usd' },
    ZWG: { username: 'muripo-zwg', password: 'simulator', apiKey: 'simulator-zwg' },
  },
  ...change,
})
