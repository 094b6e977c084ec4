import { z } from 'zod'
import { type Currency as Code, currencies, fromMajor, MAX_MAJOR, MoneyError } from './amounts.ts'

export * from './amounts.ts'

export const Currency = z.enum(currencies as [Code, ...Code[]])
export type Currency = Code

const TOO_LARGE = 'The amount must be at most 999,999,999.99'

/** An amount in major units of a currency, which limits the number of decimals. */
export const Amount = z
  .number({
    error: ({ input }) => {
      if (input === undefined || input === null) return 'The amount is required'
      // JSON has larger numbers than a program can hold.
      return typeof input === 'number' ? TOO_LARGE : 'The amount must be a number'
    },
  })
  .positive({ error: 'The amount must be greater than 0', abort: true })
  .max(MAX_MAJOR, { error: TOO_LARGE, abort: true })

/** The currency limits the decimals of an amount in a body with both. */
export function refuseTooManyDecimals(
  { amount, currency }: { readonly amount: number; readonly currency: Code },
  refinement: z.RefinementCtx,
): void {
  try {
    fromMajor(amount, currency)
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    refinement.addIssue({ code: 'custom', path: ['amount'], message: error.message })
  }
}
