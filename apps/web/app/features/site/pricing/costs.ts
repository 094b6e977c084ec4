import { fromMajor, type Money, MoneyError, subtract, toDecimal } from '@muripo/contract/amounts'
import { feeFor, type PricedMethod, pricedMethods } from '@muripo/contract/pricing'

export interface Cost {
  readonly method: PricedMethod
  /** With a dollar sign and both decimals. */
  readonly fee: string
  readonly left: string
}

const dollars = (value: Money): string => {
  const [whole = '', cents = ''] = toDecimal(value).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** What a payment of so many dollars costs by each method, or why nothing can be said of what was typed. */
export function costsOf(typed: string): { costs: readonly Cost[] } | { problem: string } {
  // People write what they read: $1,000.50.
  const plain = typed.trim().replace(/^\$/, '').replaceAll(',', '').trim()
  if (plain === '') return { problem: 'Type an amount, such as 25' }
  try {
    const amount = fromMajor(/^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN, 'USD')
    return {
      costs: pricedMethods.map((method) => {
        const fee = feeFor(method, amount)
        return { method, fee: dollars(fee), left: dollars(subtract(amount, fee)) }
      }),
    }
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    return { problem: error.message }
  }
}
