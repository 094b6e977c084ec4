/**
 * The accounts of a merchant's book, in each currency. A system account belongs to a merchant too, so that no row is everybody's.
 * clearing.<provider>: what the provider holds for us. merchant.payable: what we owe the merchant. fee.revenue: what we have earned.
 * refunds.payable: what we owe payers until the provider has paid it back. suspense: what came in or went out and belongs to nobody yet.
 */
export type AccountCode =
  | 'merchant.payable'
  | 'refunds.payable'
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
  | 'adjustment'
