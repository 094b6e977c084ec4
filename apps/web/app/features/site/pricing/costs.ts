import { fromMajor, type Money, MoneyError, subtract, toDecimal } from '@muripo/contract/amounts'
import { feeFor, type PricedMethod, pricedMethods } from '@muripo/contract/pricing'

export interface Cost {
  readonly method: PricedMethod
  /** The fee with a dollar sign and both decimals. */
  readonly fee: string
  readonly left: string
}

const dollars = (value: Money): string => {
  const [whole = '', cents = ''] = toDecimal(value).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** The cost of a payment of this amount in dollars by each method, or the error of the input. */
export function costsOf(typed: string): { costs: readonly Cost[] } | { problem: string } {
  // People type amounts as they read them: $1,000.50.
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
