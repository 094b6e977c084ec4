import type { AccountId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { PaymentMethod, StatusReason } from '@muripo/contract/payments'

/** A call to a provider has come to something by then, whatever is tried again within it. */
export const CALL_MAX_MS = 55_000

/** So long whoever calls a provider has what the call is about to himself; then others look it up. It is longer than any call. */
export const CALL_LEASE_MS = CALL_MAX_MS + 5000

/**
 * What a provider says of a charge or a refund. A word that a mapping does not know is `pending`. refunded: the charge was refunded, on
 * request. reversed: the provider took a charge back by itself, or its payer had it taken back; the echo says how much.
 */
export type Outcome = 'pending' | 'completed' | 'failed' | 'refunded' | 'reversed'

/** Why the provider refused, in our words. */
export type DeclineReason = Extract<
  StatusReason,
  'insufficient_funds' | 'wrong_pin' | 'user_cancelled' | 'expired' | 'limit_exceeded' | 'barred' | 'declined'
>

/** Opaque to everyone but the connector that made it; kept with the attempt and handed back. */
export type ProviderState = Readonly<Record<string, string | number | boolean | null>>

/** A trustworthy answer of the provider about one charge or one refund. */
export interface Reply {
  readonly kind: 'reply'
  readonly outcome: Outcome
  /** The provider's own words, for the record. */
  readonly providerStatus: string
  /** The provider's reference, what the payer sees in the wallet's message. */
  readonly providerReference: string | null
  readonly state: ProviderState
  /** The amount that the provider says it moved; null when it says none. */
  readonly echo: Money | null
  /** Set when the outcome is `failed`. */
  readonly reason: DeclineReason | null
}

/** The provider has no record under our key. Not a failure until the attempt is past its life. */
export interface NotFound {
  readonly kind: 'not_found'
}

/**
 * declined: positively refused, no money moved. invalid: our request or credentials are wrong, no money moved.
 * unavailable: provably not processed, no money moved. unknown: sent without a trustworthy answer; money may have moved, so look
 * it up and never send again.
 */
export type ProviderErrorKind = 'declined' | 'invalid' | 'unavailable' | 'unknown'

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  readonly providerCode: string | null
  readonly reason: DeclineReason | null
  /** True only when no byte of the call can have reached the provider. */
  readonly neverSent: boolean
  constructor(
    kind: ProviderErrorKind,
    message: string,
    detail: {
      providerCode?: string | null
      reason?: DeclineReason | null
      neverSent?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: detail.cause })
    this.kind = kind
    this.providerCode = detail.providerCode ?? null
    this.reason = detail.reason ?? null
    this.neverSent = detail.neverSent ?? false
  }
}

/** What every call to a provider carries. */
interface ProviderRequest {
  /** Whose payment it is: one merchant's failures do not count as the provider's. */
  readonly accountId: AccountId
}

export interface ChargeRequest extends ProviderRequest {
  /** Our key for this charge on the provider's wire, used once: 26 letters and digits. */
  readonly key: string
  readonly amount: Money
  readonly method: PaymentMethod
  /** Digits with country code, 263771234567. */
  readonly msisdn: string
  readonly description: string
  readonly shopName: string
  readonly callbackUrl: string
}

export interface RefundRequest extends ProviderRequest {
  readonly key: string
  readonly amount: Money
  readonly originalReference: string
  readonly originalState: ProviderState
  readonly msisdn: string
  readonly reason: string
  readonly callbackUrl: string
}

export interface LookupRequest extends ProviderRequest {
  readonly key: string
  readonly msisdn: string
  readonly state: ProviderState | null
}

/** How a callback's sender is answered, at once and whatever is done with it later. */
export interface CallbackReply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export type ProviderHealth = 'operational' | 'degraded' | 'down'

/** What a connector adds whose provider sends money back by a call. */
export interface RefundCalls {
  /** @throws ProviderError. Never retried by anyone. */
  refundCharge(request: RefundRequest): Promise<Reply>
  /** @throws ProviderError. Safe to repeat. */
  lookupRefund(request: LookupRequest): Promise<Reply | NotFound>
}

/** One provider's protocol: it speaks the wire and maps the words. It keeps no state and knows no payment. */
export interface Connector extends Partial<RefundCalls> {
  readonly id: string
  /** What people call the provider. */
  readonly name?: string
  readonly methods: readonly PaymentMethod[]
  readonly currencies: readonly Money['currency'][]
  /** How money goes back: by a call, in parts too or as a whole only, or by an operator's hand. */
  readonly refund: 'api-partial' | 'api-full' | 'manual'
  /** The provider must not be asked more often than this about one charge. */
  readonly minPollMs: number
  /** After this age, a charge that the provider does not know counts as never made. */
  readonly attemptTtlMs: number
  readonly callbackReply: CallbackReply
  /** The only numbers that it rings, as people write them, when it is an account for tests. */
  readonly testNumbers?: readonly string[]
  /** Null when the connector can send to this number; otherwise the sentence beside the field. */
  refuseNumber(msisdn: string): string | null
  /** @throws ProviderError. Never retried by anyone. */
  charge(request: ChargeRequest): Promise<Reply>
  /** @throws ProviderError. Safe to repeat. */
  lookup(request: LookupRequest): Promise<Reply | NotFound>
  /** How the provider is doing, found out within seconds and without moving money. */
  health?(): Promise<ProviderHealth>
}
