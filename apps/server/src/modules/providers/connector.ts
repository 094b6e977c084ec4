import type { IncomingHttpHeaders } from 'node:http'
import type { FormProblem } from '@muripo/contract/checkout'
import type { AccountId } from '@muripo/contract/ids'
import type { Currency, Money } from '@muripo/contract/money'
import type { CaptureMode, PaymentMethod, StatusReason } from '@muripo/contract/payments'

/**
 * The outcome in a provider's answer about a charge or a refund. An unmapped status is `pending`. authorized: the amount is reserved, and a
 * charge with manual capture waits for its instruction. refunded: the charge was refunded, on
 * request. reversed: the provider or the payer reversed the charge; the echo is the reversed amount. held: an amount may have moved that only
 * an operator can confirm.
 */
export type Outcome = 'pending' | 'authorized' | 'completed' | 'failed' | 'refunded' | 'reversed' | 'held'

/** The reason of a refusal, as a code of ours. */
export type DeclineReason = Extract<
  StatusReason,
  'insufficient_funds' | 'wrong_pin' | 'user_cancelled' | 'expired' | 'limit_exceeded' | 'barred' | 'declined'
>

/** State of one connector, stored with the attempt and passed back; other code does not read it. */
export type ProviderState = Readonly<Record<string, string | number | boolean | null>>

/** The step of the payer after which the charge can complete, as JSON: it is stored with the attempt. */
export type NextAction =
  /** No step on our page: the payer confirms on the phone that the provider has prompted, or the result of an earlier step is awaited. */
  | { readonly type: 'wait_for_push' }
  /**
   * The payer enters the code in the wallet's app, or scans it. qr: the text of the QR code. links: addresses that open the app with the
   * code, that of the present app first and those of older ones after it. expiresAt: ISO 8601; null when the provider names none.
   */
  | {
      readonly type: 'show_code'
      readonly code: string
      readonly qr: string
      readonly links: readonly { readonly url: string }[]
      readonly expiresAt: string | null
    }
  /** The payer continues at a page of the provider, which leads back to the `returnUrl` of the charge. */
  | { readonly type: 'redirect'; readonly url: string; readonly expiresAt: string | null }
  /** The payer enters a card on our page, in fields of the provider that this script puts there for the session. */
  | {
      readonly type: 'hosted_fields'
      readonly script: string
      readonly session: string
      readonly expiresAt: string | null
    }
  /** The payer continues at a page that a form opens, such as that of the card's bank. It leads back like a `redirect`. */
  | {
      readonly type: 'post_form'
      readonly url: string
      readonly fields: Readonly<Record<string, string>>
      readonly expiresAt: string | null
    }

/** A trustworthy answer of the provider about one charge or one refund. */
export interface Reply {
  readonly kind: 'reply'
  readonly outcome: Outcome
  /** The provider's own status, for the record. */
  readonly providerStatus: string
  /** The provider's reference, which the wallet's message shows to the payer. */
  readonly providerReference: string | null
  readonly state: ProviderState
  /** The amount that the provider reports as moved; null when it reports none. */
  readonly echo: Money | null
  /** The charged amount, in a reply about a charge of which an amount was returned. */
  readonly charged?: Money
  /** The provider's own reference of the last refund or reversal of the charge, where it has one. */
  readonly eventReference?: string
  /** The method that the payer has chosen at a page of the provider, where it may differ from that of the charge. */
  readonly method?: PaymentMethod
  /** Set when the outcome is `failed`. */
  readonly reason: DeclineReason | null
  /** The step of the payer; a reply without it keeps the step of an earlier reply. */
  readonly next?: NextAction
}

/**
 * The provider itself reports that it does not find the call under our key, in its own form of answer: the answer of an API manager or a proxy
 * in front of it proves nothing. It counts as a failure only after the attempt's time to live.
 */
export interface NotFound {
  readonly kind: 'not_found'
}

/**
 * declined: definitely refused, no money moved. invalid: our request or credentials are wrong, no money moved. unavailable: provably not
 * processed, no money moved. unknown: sent without a trustworthy answer; money may have moved, so the call is looked up and never sent
 * again.
 */
export type ProviderErrorKind = 'declined' | 'invalid' | 'unavailable' | 'unknown'

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  readonly providerCode: string | null
  readonly reason: DeclineReason | null
  /** True only when no byte of the call can have reached the provider. */
  readonly neverSent: boolean
  /** Set only when the provider provably has not processed the call: the same call may be made again after this time. */
  readonly retryAfterMs: number | null
  constructor(
    kind: ProviderErrorKind,
    message: string,
    detail: {
      providerCode?: string | null
      reason?: DeclineReason | null
      neverSent?: boolean
      retryAfterMs?: number | null
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: detail.cause })
    this.kind = kind
    this.providerCode = detail.providerCode ?? null
    this.reason = detail.reason ?? null
    this.neverSent = detail.neverSent ?? false
    this.retryAfterMs = detail.retryAfterMs ?? null
  }
}

/**
 * The error of a charge whose answer alone contains the page or the code to pay. Without the answer the payer cannot pay, so no money can
 * move, whether the charge was processed or not.
 */
export function unpayable(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') return error
  const { message, providerCode, cause } = error
  return new ProviderError('unavailable', message, { providerCode, cause })
}

/** The common part of every call to a provider. */
interface ProviderRequest {
  /** The account of the payment: failures of one account do not count as the provider's, and accounts take turns. */
  readonly accountId: AccountId
}

/** The common part of the calls that move money. */
interface SentRequest extends ProviderRequest {
  /** Precedes the first byte of the call, which may have waited for its turn. @throws ProviderError, when it must not be sent any more */
  readonly beforeSending?: () => void
}

export interface ChargeRequest extends SentRequest {
  /** Our key for this charge at the provider, used once: 26 letters and digits. */
  readonly key: string
  readonly amount: Money
  readonly method: PaymentMethod
  /** Digits with country code, 263771234567; null for a connector that does not need the payer's phone. */
  readonly msisdn: string | null
  /** The payer's address, if the merchant gave one. */
  readonly email: string | null
  readonly description: string
  readonly shopName: string
  readonly callbackUrl: string
  /** The address to which a page of the provider leads back. The return proves nothing and causes a look-up. */
  readonly returnUrl: string
  /** manual: the amount is only authorised, and captured or voided on instruction. */
  readonly captureMode?: CaptureMode
  /** The payer's network, if known: the networks of one merchant's payers take turns. */
  readonly network?: string
}

/** The next call about an authorisation: none before the instruction of the merchant, the capture of an amount, or the void. */
export type CaptureOrder =
  | { readonly kind: 'await' }
  | { readonly kind: 'capture'; readonly amount: Money }
  | { readonly kind: 'void' }

export interface RefundRequest extends SentRequest {
  readonly key: string
  readonly amount: Money
  /** The key of the charge. */
  readonly originalKey: string
  readonly originalReference: string
  readonly originalState: ProviderState
  readonly msisdn: string | null
  readonly reason: string
  readonly callbackUrl: string
}

/**
 * The cause of a look-up. callback: the provider has reported a change, or a merchant waits for the result of its instruction. payer: the
 * payer has come back from the provider's page, or has asked for the result. schedule: an open call is due. watch: the call has ended, and the
 * provider may have changed its outcome.
 */
export type LookupCause = 'callback' | 'payer' | 'schedule' | 'watch'

export interface LookupRequest extends ProviderRequest {
  readonly key: string
  readonly msisdn: string | null
  readonly state: ProviderState | null
  readonly cause?: LookupCause
  /** The currency of the charge. */
  readonly currency?: Currency
  /** The result of the call has been counted for the provider's health. */
  readonly hasEnded?: boolean
  /** The attempt has ended without a payment: the provider is asked, and no further call moves money for it. */
  readonly isOver?: boolean
  /** Set for a charge with manual capture. */
  readonly capture?: CaptureOrder
}

/** The payer's browser, as 3-D Secure describes it. */
export interface PayerBrowser {
  readonly address: string
  readonly userAgent: string
  readonly accept: string
  readonly language: string
  readonly screenWidth: number
  readonly screenHeight: number
  readonly colorDepth: number
  /** Minutes between UTC and the local time. */
  readonly timeZone: number
}

export interface ProceedRequest extends LookupRequest {
  readonly browser: PayerBrowser
  /** The result that the payer has chosen on the page of a simulated charge. */
  readonly choice?: string
}

export interface RefundLookupRequest extends LookupRequest {
  /** The key of the charge. */
  readonly originalKey: string
}

/** The phone of a request to a connector that needs one. */
export function phoneOf({ msisdn }: { readonly msisdn: string | null }): string {
  if (msisdn === null)
    throw new ProviderError('invalid', 'the call needs a phone number', { neverSent: true })
  return msisdn
}

/** The immediate response to a callback, whatever its later result. */
export interface CallbackReply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export type ProviderHealth = 'operational' | 'degraded' | 'down'

/** The calls of a connector whose provider has a refund call. */
export interface RefundCalls {
  /** @throws ProviderError. The call is never retried. */
  refundCharge(request: RefundRequest): Promise<Reply>
  /** @throws ProviderError. The call is safe to repeat. */
  lookupRefund(request: RefundLookupRequest): Promise<Reply | NotFound>
}

/** The smallest and the largest amount that an account takes in a currency; null: any. */
export interface AmountLimits {
  readonly least: Money | null
  readonly most: Money | null
}

export type LimitsByCurrency = Readonly<Partial<Record<Currency, AmountLimits>>>

/**
 * proved: the provider accepts the credentials, and refuses others. unproved: it answers wrong credentials as it answers these, so that its
 * answer proves nothing.
 */
export type CredentialProof = 'proved' | 'unproved'

/** One provider's protocol: it makes the calls and maps the statuses. It has no state, and imports nothing about payments. */
export interface Connector extends Partial<RefundCalls> {
  readonly id: string
  /** The provider's name for people. */
  readonly name?: string
  readonly methods: readonly PaymentMethod[]
  readonly currencies: readonly Currency[]
  /** The amounts that the account takes; left out: any. */
  readonly limits?: LimitsByCurrency
  /** Whether the account takes this method in this currency; left out when it takes each method in each currency. */
  takes?(method: PaymentMethod, currency: Currency): boolean
  /** Fields that the payer has to enter for a charge by this method. */
  needs(method: PaymentMethod): readonly 'phone'[]
  /** The way of a refund: by a call, in parts or only as a whole, or by an operator. */
  readonly refund: 'api-partial' | 'api-full' | 'manual'
  /**
   * Whether look-ups show what the provider reverses or refunds without a request. reported: a callback causes the look-up.
   * unreported: no documented answer shows it, and an operator reports it from the provider's statement.
   */
  readonly reversals: 'reported' | 'unreported'
  /**
   * The echo of a charge that was refunded or reversed. total: exactly the amount that has left the charge, with the gateway's own refunds.
   * unknown: the amount of the charge, or none, whatever part of it was returned.
   */
  readonly returnedEcho: 'total' | 'unknown'
  /**
   * The references of the provider's answers. unique: each names one charge or one refund of the account. repeating: a later charge may have
   * the reference of an earlier one.
   */
  readonly references: 'unique' | 'repeating'
  /** Set when a refund that the provider does not find was provably never made. Without it, such a refund waits for an operator. */
  readonly refundLookup?: 'proved' | undefined
  /** Set when the provider can reserve an amount for a later capture. captureWithinMs: the time after which an authorisation is voided. */
  readonly authorise?: { readonly captureWithinMs: number }
  /** The wallet's codes that open a prompt which did not appear on the phone, by method. */
  readonly dialIn?: Partial<Readonly<Record<PaymentMethod, string>>>
  /** The time after which the provider has closed a prompt without an answer, where it differs from that of other providers. */
  readonly promptLifeMs?: number
  /** The provider's minimum interval between two look-ups of one charge. */
  readonly minPollMs: number
  /** The calls a minute that the provider allows an account by its documents; absent when it names no limit. */
  readonly callsPerMinute?: number
  /** After this age, a charge that the provider does not find counts as never made. */
  readonly attemptTtlMs: number
  /** Left out when the provider sends no callbacks: look-ups find the outcome. */
  readonly callbackReply?: CallbackReply
  /** False when a callback is certainly not of the provider. A callback only starts a look-up, so a doubtful one is accepted. */
  isAuthentic?(headers: IncomingHttpHeaders): boolean
  /** The only numbers that a test account may prompt, as people write them. */
  readonly testNumbers?: readonly string[]
  /** Whether a number of the provider's test mode stands for every wallet. */
  isTestNumber?(msisdn: string): boolean
  /** Null when the connector can send to this number; otherwise the error of the field. Called only if the method needs a phone. */
  refuseNumber(msisdn: string, method: PaymentMethod): FormProblem | null
  /** @throws ProviderError. The call is never retried. */
  charge(request: ChargeRequest): Promise<Reply>
  /**
   * Looks the charge up, and makes the next call of a charge with several calls, each under a key that the provider accepts once. So a
   * repeated look-up captures or voids an authorisation once.
   * @throws ProviderError. The call is safe to repeat.
   */
  lookup(request: LookupRequest): Promise<Reply | NotFound>
  /**
   * Checks the credentials by calls that move no money. Absent where the provider has no such call.
   * @throws ProviderError invalid: the credentials are refused; another kind: they could not be checked
   */
  checkCredentials?(): Promise<CredentialProof>
  /**
   * Continues a charge whose payer has filled in the hosted fields, or has chosen the result of a simulated charge.
   * @throws ProviderError. The call is safe to repeat.
   */
  proceed?(request: ProceedRequest): Promise<Reply | NotFound>
  /** The provider's health, checked within seconds and without moving money. */
  health?(): Promise<ProviderHealth>
}
