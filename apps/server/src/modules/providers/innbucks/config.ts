import type { Currency } from '@muripo/contract/money'

/** A merchant's account at InnBucks. It has one currency, which no request names. */
export interface InnbucksAccount {
  readonly username: string
  readonly password: string
  readonly apiKey: string
}

export const innbucksCurrencies = ['USD', 'ZWG'] as const satisfies readonly Currency[]
export type InnbucksCurrency = (typeof innbucksCurrencies)[number]
