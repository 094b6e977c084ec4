import type { Locale } from '@muripo/contract/enums'
import type {
  AccountId,
  ApplicationId,
  AttemptId,
  CustomerId,
  PaymentId,
  RefundId,
} from '@muripo/contract/ids'
import { fromMajor, type Money, MoneyError, subtract } from '@muripo/contract/money'
import type {
  CaptureMode,
  PaymentMethod,
  PaymentStatus,
  StatusReason,
  TerminationReason,
} from '@muripo/contract/payments'
import { displayNumber, type NextAction, type ProviderState } from '../../providers/index.ts'
import type { AttemptStatus, RefundStatus } from './moves.ts'
import type { ProviderReport } from './provider-report.ts'

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
  /** The language that the merchant has named for the payer. */
  readonly locale: Locale | null
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly captureMode: CaptureMode
  /** The methods that could take the payment when it was created. */
  readonly payableMethods: readonly PaymentMethod[]
  /** The captured amount of a completed payment with manual capture; null for every other payment. */
  readonly captured: Money | null
  /** The end of the authorisation; null for a payment that was never authorised. */
  readonly captureBefore: Date | null
  /** The merchant's fee: fixed at capture, null until then. */
  readonly fee: Money | null
  readonly refunded: Money
  readonly refundPending: Money
  /** The amount that the provider has reversed, as operators have booked it, less the amount that it has returned. */
  readonly reversed: Money
  /** The number of events that this payment has had. */
  readonly lastEvent: number
  /** The number of changes. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly completedAt: Date | null
  readonly expiresAt: Date
  /** The reason and the time since which no attempts are accepted: the payment fails for this reason once no attempt is open. */
  readonly termination: Termination | null
}

/** The amount that is taken from the payer: fees, refunds and revenue are of this amount. */
export const paidAmountOf = ({ captured, amount }: Pick<Payment, 'captured' | 'amount'>): Money =>
  captured ?? amount

/** The remaining refundable amount of the payment. */
export const remainingOf = (
  payment: Pick<Payment, 'captured' | 'amount' | 'refunded' | 'refundPending' | 'reversed'>,
): Money =>
  subtract(
    subtract(subtract(paidAmountOf(payment), payment.refunded), payment.refundPending),
    payment.reversed,
  )

/** The merchant's share of the payment; null before its completion. */
export const netOf = (payment: Pick<Payment, 'captured' | 'amount' | 'fee'>): Money | null =>
  payment.fee && subtract(paidAmountOf(payment), payment.fee)

/** An amount that a client sent in major units; null when it is no such amount, of another currency, or more than `most`. */
export function requestedAmount(most: Money, major: number, currency = most.currency): Money | null {
  try {
    const amount = fromMajor(major, currency)
    return currency === most.currency && amount.minor <= most.minor ? amount : null
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** The common part of a charge and a refund: one call to a provider, whose outcome is its reply or a later look-up. */
export interface ProviderCall {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly amount: Money
  readonly providerState: ProviderState | null
  readonly providerReference: string | null
  readonly checks: number
  readonly notFoundChecks: number
  /** The number of failures to record the outcome. */
  readonly outcomeFailures: number
  /** The provider has provably not processed the call, which is made again when it is due. */
  readonly isDeferred: boolean
  readonly failureReason: StatusReason | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An attempt of a payer to pay. */
export interface Attempt extends ProviderCall {
  readonly id: AttemptId
  readonly provider: string
  readonly method: PaymentMethod
  /** Null for a provider that needs no phone number. */
  readonly msisdn: string | null
  readonly status: AttemptStatus
  /** The status in the provider's words. */
  readonly providerStatus: string | null
  /** The time at which the provider had reserved the amount; null before, and for a charge of one step. */
  readonly authorizedAt: Date | null
  /** The payer's step that the provider named last. */
  readonly nextAction: NextAction | null
  /** How often it was changed, without the leases of its look-ups. */
  readonly version: number
  /** The watch of a failed charge, and its next look-up; null before its failure. */
  readonly watchUntil: Date | null
  readonly nextWatchAt: Date | null
  /** The amount that an operator has booked as moved for a failed charge. */
  readonly moved: Money | null
  readonly lastReport: ProviderReport | null
}

export interface Refund extends ProviderCall {
  readonly id: RefundId
  readonly applicationId: ApplicationId
  /** The charge that is refunded. */
  readonly attemptId: AttemptId
  /** duplicate: the refund of a second success, which is owed to the payer and was never the merchant's. */
  readonly origin: 'merchant' | 'duplicate'
  readonly status: RefundStatus
  /** The reason that the merchant gave. */
  readonly reason: string | null
  /** The requester, when the request had no idempotency key: a session or an application key. */
  readonly requestedBy: string | null
  readonly nextCheckAt: Date | null
  /** The time at which the provider was found to have paid this failed refund, and the time at which an operator resolved it. */
  readonly paidLateAt: Date | null
  readonly settledAt: Date | null
  /** The time at which the amount of this completed refund came back: the refund has failed, and another one replaces it. */
  readonly bouncedAt: Date | null
  /** The bounced refund that this one replaces. */
  readonly replacesId: RefundId | null
  /** The time at which an operator gave up to reach the payer of a duplicate charge. */
  readonly unclaimedAt: Date | null
  /** The status in the provider's words. */
  readonly providerStatus: string | null
  /** The watch of a failed refund that its provider has received, and its next look-up. */
  readonly watchUntil: Date | null
  readonly nextWatchAt: Date | null
}

/** The payer's number as a page may show it, "077 *** 4567"; null for an attempt without a phone. */
export const maskedNumber = ({ msisdn }: Attempt): string | null => msisdn && displayNumber(msisdn)
