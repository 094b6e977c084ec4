import type { OperatorRole } from '@muripo/contract/console-permissions'
import type {
  AccountId,
  AdjustmentId,
  AnomalyId,
  ApplicationId,
  AttemptId,
  MerchantId,
  PaymentId,
  PersonId,
  RefundId,
} from '@muripo/contract/ids'
import type { AdjustableCode } from '@muripo/contract/ledger'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import type { KeyMode } from '../../../platform/settings.ts'
import type { BankingReviewResult, StatusChangeResult } from '../../applications/index.ts'
import type {
  AnomalyResolved,
  AnomalyVerdict,
  LateRefundClosed,
  RefundBounced,
  RefundResolved,
  RefundVerdict,
  RequestedOfPayment,
  Resolved,
  ReturnRecorded,
  ReversalReported,
} from '../../payments/index.ts'
import type { Added } from '../people/actions/manage-operators.ts'

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

export interface OfPayment {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
}

export interface AttemptPayload extends StoredMove, OfPayment {
  /** Null: the only attempt of the payment that waits. A stored payload names it. */
  readonly attemptId: AttemptId | null
  readonly verdict:
    | { readonly outcome: 'completed'; readonly reference: string }
    | { readonly outcome: 'failed' }
}

type Stored<Value> = Value extends Money ? StoredMoney : Value
type StoredVerdict<Verdict> = Verdict extends object
  ? { readonly [Name in keyof Verdict]: Stored<Verdict[Name]> }
  : never

export function storedVerdict(verdict: AnomalyVerdict): StoredVerdict<AnomalyVerdict> {
  if (verdict.kind === 'reversed') return { ...verdict, amount: storedMoney(verdict.amount) }
  if (verdict.kind === 'differs') return { ...verdict, total: storedMoney(verdict.total) }
  return verdict
}

export interface AnomalyPayload extends OfPayment {
  /** Null: the only review of the payment. A stored payload names it. */
  readonly anomalyId: AnomalyId | null
  readonly verdict: StoredVerdict<AnomalyVerdict>
}

/** An amount that the provider has reversed, or has returned of a reversal. */
export interface ReversalPayload extends OfPayment {
  readonly amount: StoredMoney
  readonly reason: string
}

export interface ReturnPayload extends ReversalPayload {
  readonly anomalyId: AnomalyId | null
}

export interface OpenRefundPayload extends OfPayment {
  /** Null: the remaining amount. A stored payload names it. */
  readonly amount: StoredMoney | null
  readonly isByHand: boolean
  readonly reason: string
}

export interface OfRefund extends OfPayment {
  readonly refundId: RefundId
}

export interface RefundPayload extends StoredMove, OfRefund {
  readonly verdict: Omit<RefundVerdict, 'moved'> & RefundVerdict
}

/** Refunds that were sent by hand, each under the reference of its provider. All of them are in one database. */
export interface BatchPayload {
  readonly refunds: readonly (OfRefund & { readonly reference: string })[]
}

export interface BouncePayload extends OfRefund {
  readonly reason: string
}

export interface SettlePayload extends OfRefund {
  readonly how: string
  /** Null: the amount of the refund. */
  readonly amount: StoredMoney | null
}

export interface AdjustmentPayload {
  readonly merchantId: MerchantId
  /** The merchant's own environment, or that for tests. */
  readonly accountId: AccountId
  readonly debit: AdjustableCode
  readonly credit: AdjustableCode
  readonly amount: StoredMoney
  readonly paymentId: PaymentId | null
  readonly reason: string
}

/** The owner of an application reads the reason. */
export interface ApplicationPayload {
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
  readonly reason: string
}

export interface KeyPayload extends ApplicationPayload {
  readonly mode: KeyMode
}

export interface BankingPayload extends ApplicationPayload {
  readonly revision: number
}

export interface ProviderPayload {
  readonly account: string
  readonly reason: string
}

export interface RoutePayload {
  readonly merchantId: MerchantId
  readonly method: PaymentMethod
  readonly currency?: Currency
  readonly route: string
  readonly reason: string
}

export interface PersonPayload {
  readonly personId: PersonId
  readonly reason: string
}

export interface OperatorPayload {
  readonly email: string
}

export interface RolePayload extends OperatorPayload {
  readonly role: OperatorRole
}

export interface NewOperatorPayload extends RolePayload {
  readonly name: string
}

/** The sentence of a refusal, after which nothing has changed. */
export interface Refusal {
  readonly refused: string
}

type Done = 'done' | 'unchanged' | 'none'

/** The action of each kind, and its result. */
export interface KindTypes {
  'merchant.approve': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.suspend': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.resume': { payload: MerchantPayload; result: StatusChangeResult }
  'merchant.close': { payload: MerchantPayload; result: StatusChangeResult }
  'application.stop': { payload: ApplicationPayload; result: Done }
  'application.resume': { payload: ApplicationPayload; result: Done }
  'key.revoke': { payload: KeyPayload; result: Done }
  'banking.approve': { payload: BankingPayload; result: BankingReviewResult }
  'banking.reject': { payload: BankingPayload; result: BankingReviewResult }
  'attempt.resolve': { payload: AttemptPayload; result: Resolved }
  'anomaly.resolve': { payload: AnomalyPayload; result: AnomalyResolved }
  'payment.reverse': { payload: ReversalPayload; result: ReversalReported }
  'payment.return': { payload: ReturnPayload; result: ReturnRecorded }
  'refund.open': { payload: OpenRefundPayload; result: RequestedOfPayment }
  'refund.resolve': { payload: RefundPayload; result: RefundResolved }
  'refund.batch': { payload: BatchPayload; result: 'done' | Refusal }
  'refund.bounce': { payload: BouncePayload; result: RefundBounced }
  'refund.settle': { payload: SettlePayload; result: LateRefundClosed }
  'ledger.adjust': { payload: AdjustmentPayload; result: AdjustmentId | Refusal }
  'provider.disable': { payload: ProviderPayload; result: number | 'unchanged' }
  'provider.enable': { payload: ProviderPayload; result: number | 'unchanged' }
  'provider.route': { payload: RoutePayload; result: string | null }
  'person.remove_authenticator': { payload: PersonPayload; result: boolean }
  'operator.add': { payload: NewOperatorPayload; result: Added | null }
  'operator.role': { payload: RolePayload; result: boolean }
  'operator.remove': { payload: OperatorPayload; result: boolean | Refusal }
}
