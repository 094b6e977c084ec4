import { amountText } from '../../../lib/format.ts'

/** The amounts that a request may have, in major units of the payment's currency. */
export interface Allowed {
  /** The largest amount: neither refunded nor pending. */
  readonly left: number
  /** The pending amounts: a request for one of them joins that refund. */
  readonly underWay: readonly number[]
}

/** Sums are computed in whole cents, so that 25 - 24.9 is exactly 0.1. */
export const cents = (amount: number): number => Math.round(amount * 100)

/** "25.00", the initial text of the field. */
export const typedAmount = (amount: number): string => amountText('', amount)

export type AmountError = 'amountInvalid' | 'amountDecimals' | 'amountZero' | 'amountTooHigh'

/** An amount, or the error of the text. `early`: further input may make it valid. */
type Reading =
  | { readonly amount: number; readonly error: null }
  | { readonly amount: null; readonly error: AmountError; readonly early: boolean }

const error = (text: AmountError, early = false): Reading => ({ amount: null, error: text, early })

/** Parses an amount as users type it: "12.5", "12,50", "$ 1,250.00", "1.250,00". */
export function readAmount(text: string, currency: string, { left, underWay }: Allowed): Reading {
  const number = plainNumber(text, currency)
  if (number === null) return error('amountInvalid', text.trim() === '')
  const [, decimals = ''] = number.split('.')
  if (decimals.length > 2) return error('amountDecimals')
  const amount = Number(number)
  if (amount === 0) return error('amountZero', true)
  if (amount > left && !underWay.includes(amount)) return error('amountTooHigh')
  return { amount, error: null }
}

/** The text with only digits and a point before the decimals, or null when it is no number. */
function plainNumber(text: string, currency: string): string | null {
  const bare = text.replace(/\s/g, '').replace(new RegExp(`^(${currency}|\\$)`, 'i'), '')
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)) return bare.replaceAll(',', '')
  if (/^\d{1,3}(\.\d{3})+,\d*$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  return /^(\d+[.,]?\d*|[.,]\d+)$/.test(bare) ? bare.replace(',', '.') : null
}
