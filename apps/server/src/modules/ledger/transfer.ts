import type { PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'

/**
 * The kinds of accounts of an environment, each in every currency. System accounts belong to an environment too, so that no row is shared
 * by all merchants. clearing.<provider>: the provider's balance in the gateway's favour. merchant.payable: the amount owed to the merchant.
 * fee.revenue: the gateway's income. refunds.payable: the amount owed to payers until the provider has paid it. suspense: amounts that came
 * in or went out and have no owner yet. unclaimed.payable: refunds of duplicate charges whose payers could not be reached.
 */
export type AccountCode =
  | 'merchant.payable'
  | 'refunds.payable'
  | 'unclaimed.payable'
  | 'fee.revenue'
  | 'suspense'
  | `clearing.${string}`

export const clearing = (provider: string): `clearing.${string}` => `clearing.${provider}`

export type TransferKind =
  | 'capture'
  | 'fee'
  | 'duplicate_capture'
  | 'refund_reserve'
  | 'refund_paid'
  | 'refund_released'
  | 'refund_bounced'
  | 'unclaimed'
  | 'reversal'
  | 'reversal_undone'
  | 'adjustment'

export interface Transfer {
  readonly kind: TransferKind
  readonly debit: AccountCode
  readonly credit: AccountCode
  readonly amount: Money
  /** Null for an adjustment without a payment. */
  readonly paymentId: PaymentId | null
  /** The UUID of the attempt, refund or review that causes the transfer: with the kind, it makes a transfer unique. */
  readonly causeId: string
}
