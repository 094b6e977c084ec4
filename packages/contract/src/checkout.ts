import type { Locale } from './enums.ts'
import type { Currency } from './money.ts'
import type { PaymentMethod, PaymentStatus, StatusReason } from './payments.ts'

/** The cookie of the payer's browser with the method of its last payment. */
export const METHOD_COOKIE = 'payer_method'

/** The parameter of the payer's page with the `intent` of the form that led to it. */
export const INTENT_PARAMETER = 'asked'

/** The parameter of the page for a code with the reason why it opened no payment: `unknown` or `too-many`. */
export const RESUME_PROBLEM = 'problem'

/** The letters of the code by which a payer opens the page on another phone. */
export const RESUME_CODE_LENGTH = 8

/** A method of the payer's page. */
export interface OfferedMethod {
  readonly method: PaymentMethod
  readonly needsPhone: boolean
  /** The provider cannot be reached at the moment, and the method cannot be chosen. */
  readonly isDown: boolean
  /** The smallest or largest amount that the method takes, when that of the payment is outside; the method cannot be chosen then. */
  readonly limit: { readonly kind: 'least' | 'most'; readonly amount: string } | null
  /** The shop takes the amount later, and the method cannot reserve it; the method cannot be chosen then. */
  readonly isWithoutCapture?: boolean
}

/** Whether a payer can choose the method now. */
export const isUsable = ({ isDown, limit, isWithoutCapture }: OfferedMethod): boolean =>
  !isDown && limit === null && !isWithoutCapture

/** The drawing of a QR code: the path of its dark modules in a square of `size` modules. */
export interface QrDrawing {
  readonly size: number
  readonly path: string
}

/** The step of the payer that the open attempt waits for. until: ISO 8601; null when the provider names no end. */
export type PayerStep =
  /** The payer enters the code in the wallet's app, scans it, or opens the app by a link. */
  | {
      readonly type: 'show_code'
      readonly code: string
      readonly qr: QrDrawing | null
      /** The address that opens the app with the code, and those of older apps after it. */
      readonly links: readonly { readonly url: string }[]
      readonly until: string | null
    }
  /** The payer continues at a page of the provider. */
  | { readonly type: 'redirect'; readonly url: string; readonly until: string | null }

/** A prompt that waits for the payer's PIN. */
export interface Prompt {
  /** The wallet's code that opens a prompt which did not appear, "*151*2*4#"; null when the provider has none. */
  readonly dialIn: string | null
  /**
   * ISO 8601: the time at which the provider closes the prompt. Until then another prompt, another method and the cancellation of the payment
   * would be refused, and the page offers none of them. Null when the time has passed.
   */
  readonly closesAt: string | null
  /** No other attempt can follow: the payment has been cancelled, or expires before. */
  readonly isLast: boolean
  /** Whether the payment can be cancelled when the prompt can no longer be paid. */
  readonly canCancel: boolean
}

/** The step of the page for a card. */
export type CardStep =
  /** The fields of the provider, which its script puts into our page for the session. */
  | { readonly type: 'hosted_fields'; readonly script: string; readonly session: string }
  /** A form that opens the page of the card's bank. */
  | { readonly type: 'post_form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }

/** The content of the payer's page. The server decides all of it; the page only renders it. */
export interface CheckoutView {
  /**
   * choose: no attempt is open, and the payer selects a method. action: the open attempt waits for the payer's step. waiting: the payer has
   * to confirm on the phone, or the outcome is being looked up. refused: the last attempt failed, and another one may start. under_review:
   * an operator has to decide; the payer need not act. authorized: the payer's part is done, and the shop takes the amount later. unavailable: the shop can take no payments at the moment.
   */
  readonly stage:
    | 'choose'
    | 'action'
    | 'waiting'
    | 'authorized'
    | 'completed'
    | 'refused'
    | 'cancelled'
    | 'expired'
    | 'refunded'
    | 'under_review'
    | 'unavailable'
  /** Changes with all that the page shows, except times. */
  readonly revision: string
  /** Whether the payment is simulated. */
  readonly isTest: boolean
  readonly shopName: string
  /** The language that the shop has named for its payer. */
  readonly locale: Locale | null
  /** The shop's own header; each part is null without one. */
  readonly brand: { readonly colour: string | null; readonly logoPath: string | null }
  /** Decimal text with all decimals, "25.00". */
  readonly amount: string
  readonly currency: Currency
  readonly description: string
  /** The suggested method first. */
  readonly methods: readonly OfferedMethod[]
  /** The method of the last attempt, or the one that the shop or the payer's last payment suggests; null without any. */
  readonly suggested: PaymentMethod | null
  /**
   * The number that the form offers, "077 *** 4567": of the latest attempt, or of the customer as the shop has named it. The form may send it
   * as it is.
   */
  readonly phone: string | null
  /** Whether the page offers to cancel: the merchant has given an address for it. */
  readonly canCancel: boolean
  /** Whether the payer may choose another way to pay while the attempt is open. */
  readonly canLeave: boolean
  /** ISO 8601: the end of the open code, from which the payer may choose another way to pay; null when it is unknown, or none can follow. */
  readonly otherWayAt: string | null
  /** The latest attempt, if there is one. */
  readonly attempt: {
    readonly method: PaymentMethod
    /** The masked number, "077 *** 4567"; null for a method without a phone. */
    readonly phone: string | null
    /** The provider has not answered yet. */
    readonly isStarting: boolean
    /** Whole seconds since the attempt was sent. */
    readonly ageSeconds: number
    /** The provider has named no outcome for so long that the payer is told. */
    readonly isSilent: boolean
    readonly failure: StatusReason | null
    /** Set in the stage `action`. */
    readonly step: PayerStep | null
    /** The prompt on the payer's phone that is waited for. */
    readonly prompt: Prompt | null
  } | null
  /** The code by which the page is opened on another phone; null until the payer asks for one, or when it has expired. */
  readonly resumeCode: string | null
  /** Null for a payment that has not been completed. */
  readonly receipt: {
    readonly paymentId: string
    /** The shop's own reference. */
    readonly reference: string | null
    readonly providerReference: string | null
    /** ISO 8601. */
    readonly paidAt: string
    /** Null for a payment that an operator has completed without an attempt. */
    readonly method: PaymentMethod | null
    /** The masked number; null for a method without a phone. */
    readonly phone: string | null
    /** The refunds that the payer has received, the earliest first. */
    readonly refunds: readonly {
      /** Decimal text with all decimals. */
      readonly amount: string
      /** ISO 8601. */
      readonly at: string
    }[]
    /** The part of the amount that is left after a partial refund; null without one. */
    readonly amountLeft: string | null
    /** The shop's phone number as people read it, "+263 77 300 4410"; null without one. */
    readonly contact: string | null
  } | null
  /** Whether the receipt of the completed payment is mailed to the payer. */
  readonly mailsReceipt: boolean
  /** The address to continue at, with payment_id and status in the query; null when the merchant gave none. */
  readonly continueUrl: string | null
  /** Whether the page continues there automatically: the payment was completed a moment ago. */
  readonly continues: boolean
}

export type FormProblemCode =
  | 'methodMissing'
  | 'methodFrom'
  | 'methodUpTo'
  | 'methodNoCapture'
  | 'phoneInvalid'
  | 'phoneNotEcocash'
  | 'phoneNotOnemoney'
  | 'phoneNotMobile'
  | 'phoneNotForTest'
  | 'phoneBusy'
  | 'phoneBusyToday'
  | 'phonePaused'
  | 'otherWallet'
  | 'otherWalletConfirm'
  | 'orderPaid'
  | 'orderOpen'
  | 'attemptsUsed'
  | 'attemptsUsedLong'
  | 'shopPaused'
  | 'paymentUnknown'
  | 'busy'
  | 'notAvailable'

/** The reason why a form of the payer's page is refused: its code, and the values of its text. */
export interface FormProblem {
  readonly code: FormProblemCode
  readonly values: Readonly<Record<string, string>>
  /** The text in English. */
  readonly message: string
}

/** The error of a form of the payer's page with its field, and the entered values. */
export interface RefusedForm {
  readonly typed: { readonly method: string; readonly phone: string }
  readonly field: 'method' | 'phone' | null
  readonly problem: FormProblem
  /** The value of the field `confirmed` with which the same form is accepted: the payer was asked whether the method is meant. */
  readonly confirmWith?: string
}

/** The state of a payment for a program that waits for its payer: `GET /pay/{token}/status`. */
export interface CheckoutStatus {
  readonly status: PaymentStatus
  /** unknown: the outcome is being looked up, or an operator has to decide. failed: the last attempt failed. */
  readonly stage:
    | 'choose'
    | 'waiting'
    | 'action'
    | 'unknown'
    | 'authorized'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired'
  readonly message: string
  /** The time until the next request; null when the state is final. */
  readonly poll_after_ms: number | null
  /** The `revision` of the page's content. */
  readonly revision: string
}

interface PageOfPayment {
  readonly token: string
  readonly view: CheckoutView
}

/** A page of a payer, which the web app renders from this and from the request alone. The server decides which page it is. */
export type PayersPage =
  /** refused: the form with which the page is shown again; null for a plain view. */
  | ({ readonly kind: 'payment'; readonly refused: RefusedForm | null } & PageOfPayment)
  | ({ readonly kind: 'receipt' } & PageOfPayment)
  /** The page for the card of the open attempt: `GET /pay/{token}/card`. */
  | ({ readonly kind: 'card'; readonly step: CardStep } & PageOfPayment)
  /** The page for the code of a payment that was begun on another phone. */
  | { readonly kind: 'resume'; readonly problem: 'unknown' | 'too-many' | null }
  /** The page of a payment that cannot be shown, the same for every payment: unknown, beyond a limit of its address, or failed. */
  | { readonly kind: 'trouble'; readonly status: 404 | 429 | 500 }
