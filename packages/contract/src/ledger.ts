/** The accounts between which an operator moves money, beside those of providers. */
export const adjustableCodes = [
  'merchant.payable',
  'fee.revenue',
  'provider.fees',
  'tax.vat',
  'tax.imtt',
  'losses',
  'suspense',
] as const

export type AdjustableCode = (typeof adjustableCodes)[number] | `clearing.${string}`

export const adjustablePattern = new RegExp(
  `^(${adjustableCodes.join('|').replaceAll('.', '\\.')}|clearing\\.[a-z0-9-]{1,40})$`,
)

export const isAdjustable = (code: string): code is AdjustableCode => adjustablePattern.test(code)

/** The accounts in words, for an error about another one. */
export const adjustableInWords = `${adjustableCodes.join(', ')} or clearing.PROVIDER`
