import { z } from 'zod'
import { type Currency as Code, currencies, MAX_MAJOR } from './amounts.ts'

export * from './amounts.ts'

export const Currency = z.enum(currencies as [Code, ...Code[]])
export type Currency = Code

/** An amount in major units of a currency, which limits the number of decimals. */
export const Amount = z
  .number({ error: 'The amount must be a number' })
  .positive({ error: 'The amount must be greater than 0', abort: true })
  .max(MAX_MAJOR, { error: 'The amount must be at most 999,999,999.99', abort: true })
