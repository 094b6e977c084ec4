/**
 * The accounts of a merchant's book. clearing.<provider>: what the provider holds for us. merchant.payable: what we owe the
 * merchant. refunds.payable: what we owe payers until the provider has paid it back.
 */
export type AccountCode = 'merchant.payable' | 'refunds.payable' | `clearing.${string}`

export const clearing = (provider: string): AccountCode => `clearing.${provider}`

export type TransferKind = 'capture' | 'refund_reserve' | 'refund_paid' | 'refund_released'
