import type { AccountId, ApplicationId, PaymentId } from '@muripo/contract/ids'
import type { AdjustableCode } from '@muripo/contract/ledger'
import type { Money } from '@muripo/contract/money'

/**
 * The kinds of accounts of an environment, each in every currency. System accounts belong to an environment too, so that no row is shared
 * by all merchants. clearing.<provider>: the provider's balance in the gateway's favour. merchant.payable: the amount owed to the merchant.
 * fee.revenue: the gateway's income. refunds.payable: the amount owed to payers until the provider has paid it. suspense: amounts that came
 * in or went out and have no owner yet. unclaimed.payable: refunds of duplicate charges whose payers could not be reached. provider.fees and
 * tax.imtt: what providers and the state keep of the gateway's money. tax.vat: value added tax owed to the state. losses: amounts that
 * nobody pays back.
 */
export type AccountCode = AdjustableCode | 'refunds.payable' | 'unclaimed.payable'

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

/** Whose accounts a transfer moves: those of an environment, for one of its applications. Null for a transfer without a payment. */
export interface TransferOwner {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId | null
}

/** The parts of the amount that is settled with a merchant. */
export const settledParts = ['captured', 'fees', 'refunds', 'reversals', 'adjustments'] as const
export type SettledPart = (typeof settledParts)[number]

/** The part of a settlement to which transfers of a kind on merchant.payable belong. Null for a kind that never moves that account. */
export function settlesAs(kind: TransferKind): SettledPart | null {
  switch (kind) {
    case 'capture':
      return 'captured'
    case 'fee':
      return 'fees'
    case 'refund_reserve':
    case 'refund_paid':
    case 'refund_released':
      return 'refunds'
    case 'reversal':
    case 'reversal_undone':
      return 'reversals'
    case 'adjustment':
      return 'adjustments'
    case 'duplicate_capture':
    case 'refund_bounced':
    case 'unclaimed':
      return null
  }
}
