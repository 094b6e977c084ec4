import type { ProposalKind } from '@muripo/contract/console-permissions'
import type { AccountId, AttemptId, MerchantId, PaymentId, RefundId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { StatusChangeResult } from '../../applications/index.ts'
import type { RefundResolved, RefundVerdict, Resolved } from '../../payments/index.ts'

/** Kinds with a row of their own: the others are executed at once. */
export type StoredKind = Exclude<ProposalKind, 'merchant.suspend'>

/** The reason of a decision about a merchant is sent to the merchant. */
export interface MerchantPayload {
  readonly merchantId: MerchantId
  readonly reason: string
  readonly seen: string | null
  readonly reserved?: string
}

interface StoredMoney {
  readonly minor: string
  readonly currency: Currency
}

export const storedMoney = ({ minor, currency }: Money): StoredMoney => ({
  minor: minor.toString(),
  currency,
})
export const moneyOf = ({ minor, currency }: StoredMoney): Money => money(BigInt(minor), currency)

/** The amount that the provider moved, when it differs from the requested one. */
interface StoredMove {
  readonly moved?: { readonly amount: StoredMoney; readonly reason: string }
}

export interface AttemptPayload extends StoredMove {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  /** Null: the only attempt of the payment that waits. A stored payload names it. */
  readonly attemptId: AttemptId | null
  readonly verdict:
    | { readonly outcome: 'completed'; readonly reference: string }
    | { readonly outcome: 'failed' }
}

export interface RefundPayload extends StoredMove {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly refundId: RefundId
  readonly verdict: Omit<RefundVerdict, 'moved'> & RefundVerdict
}

/** The action of each kind, and its result. */
export interface KindTypes {
  'merchant.approve': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.suspend': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.resume': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.close': { payload: MerchantPayload; result: StatusChangeResult }
  'attempt.resolve': { payload: AttemptPayload; result: Resolved }
  'refund.resolve': { payload: RefundPayload; result: RefundResolved }
}
