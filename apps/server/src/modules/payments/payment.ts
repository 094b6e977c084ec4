import type {
  AccountId,
  ApplicationId,
  AttemptId,
  CustomerId,
  PaymentId,
  RefundId,
} from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus, StatusReason, TerminationReason } from '@muripo/contract/payments'
import { displayNumber, type ProviderState } from '../providers/index.ts'
import type { AttemptStatus, RefundStatus } from './machine.ts'

export interface Termination {
  readonly reason: TerminationReason
  readonly since: Date
}

export interface Payment {
  readonly accountId: AccountId
  readonly id: PaymentId
  readonly applicationId: ApplicationId
  readonly amount: Money
  readonly status: PaymentStatus
  readonly statusReason: StatusReason | null
  readonly method: PaymentMethod | null
  readonly providerReference: string | null
  readonly description: string
  readonly reference: string | null
  readonly customer: {
    readonly id: CustomerId | null
    readonly email: string | null
    readonly name: string | null
    readonly phone: string | null
  }
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** What the merchant is charged for it: fixed when it is captured, null until then. */
  readonly fee: Money | null
  readonly refunded: Money
  readonly refundPending: Money
  /** How many events this payment has had. */
  readonly lastEvent: number
  /** How often it was changed. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly completedAt: Date | null
  readonly expiresAt: Date
  /** Why and since when it takes no more attempts: it fails for this as soon as none is open. */
  readonly termination: Termination | null
}

/** A payment that the caller's transaction has locked. */
export interface LockedPayment extends Payment {
  /** The database's time of the lock: what is decided behind it is decided by this time. */
  readonly lockedAt: Date
}

/** What a charge and a refund have in common: one call to a provider whose outcome is told once, or looked up. */
export interface ProviderCall {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly amount: Money
  readonly providerState: ProviderState | null
  readonly providerReference: string | null
  readonly checks: number
  readonly notFoundChecks: number
  /** How often the outcome could not be recorded. */
  readonly outcomeFailures: number
  readonly failureReason: StatusReason | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** One attempt of a payer to pay. */
export interface Attempt extends ProviderCall {
  readonly id: AttemptId
  readonly provider: string
  readonly method: PaymentMethod
  readonly msisdn: string
  readonly status: AttemptStatus
}

export interface Refund extends ProviderCall {
  readonly id: RefundId
  readonly applicationId: ApplicationId
  /** The charge whose money goes back. */
  readonly attemptId: AttemptId
  /** duplicate: what was paid although the payment was paid already, which is the payer's and never was the merchant's. */
  readonly origin: 'merchant' | 'duplicate'
  readonly status: RefundStatus
  /** The merchant's own word for why. */
  readonly reason: string | null
  /** Who asked for it without a protection of its own against repetition: a session or an application key. */
  readonly requestedBy: string | null
  readonly nextCheckAt: Date | null
  /** When its provider was found to have paid what stays failed here: a person has to settle it, and has done so. */
  readonly paidLateAt: Date | null
  readonly settledAt: Date | null
}

/** The payer's number as a page may show it, "077 *** 4567". */
export const maskedNumber = (attempt: Attempt): string => displayNumber(attempt.msisdn)
