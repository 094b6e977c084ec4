import type { Currency } from '@muripo/contract/money'

/** A merchant's account at InnBucks. It has one currency, which no request names. */
export interface InnbucksAccount {
  readonly username: string
  readonly password: string
  readonly apiKey: string
}

export interface InnbucksConfig {
  /** The address above `/auth` and `/api`. */
  readonly baseUrl: string
  readonly accounts: Readonly<Partial<Record<InnbucksCurrency, InnbucksAccount>>>
}

export const innbucksCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
export type InnbucksCurrency = (typeof innbucksCurrencies)[number]
