import type { Transaction } from '../ledger.ts'
import { amountText } from '../page/parts.ts'

/** The wallet of a number's network. */
export const walletName = (number: string): string => (number.startsWith('26371') ? 'OneMoney' : 'EcoCash')

export const promptText = (transaction: Transaction): string =>
  `Pay ${amountText(transaction)} to ${transaction.shopName}? Enter your ${walletName(transaction.number)} PIN`

/** The message to the subscriber, or null before the outcome. */
export function messageText(transaction: Transaction): string | null {
  const amount = amountText(transaction)
  if (transaction.kind === 'refund') {
    return transaction.status === 'completed'
      ? `You received ${amount} back from ${transaction.shopName}. Reference ${transaction.reference}.`
      : null
  }
  if (transaction.status === 'failed') {
    return `Your payment of ${amount} to ${transaction.shopName} failed: ${transaction.message}.`
  }
  if (transaction.status === 'reversed')
    return `Your payment of ${amount} to ${transaction.shopName} was reversed. Reference ${transaction.reference}.`
  return transaction.status === 'pending'
    ? null
    : `You paid ${amount} to ${transaction.shopName}. Reference ${transaction.reference}.`
}

export const localNumber = (number: string): string =>
  `0${number.slice(3, 5)} ${number.slice(5, 8)} ${number.slice(8)}`
