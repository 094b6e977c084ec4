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
export const RESUME_CODE_LENGTH = 6

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

/** The step of the payer that the open attempt waits for. secondsLeft: null when the provider names no end. */
export type PayerStep =
  /** The payer enters the code in the wallet's app, scans it, or opens the app by a link. */
  | {
      readonly type: 'show_code'
      readonly code: string
      readonly qr: QrDrawing | null
      /** The address that opens the app with the code, and those of older apps after it. */
      readonly links: readonly { readonly url: string }[]
      readonly secondsLeft: number | null
    }
  /** The payer continues at a page of the provider. */
  | { readonly type: 'redirect'; readonly url: string; readonly secondsLeft: number | null }

/** A prompt that waits for the payer's PIN. */
export interface Prompt {
  /** The shop's name as the prompt shows it. */
  readonly shopName: string
  /** The wallet's code that opens a prompt which did not appear, "*151*2*4#"; null when the provider has none. */
  readonly dialIn: string | null
  /** The time until the payer can ask for another prompt. */
  readonly resendSeconds: number
  /** Whether the payment is cancelled as soon as the prompt can no longer be paid, if its payer wishes. */
  readonly canCancel: boolean
}

/** The step of the page for a card. */
export type CardStep =
  /** The fields of the provider, which its script puts into our page for the session. */
  | { readonly type: 'hosted_fields'; readonly script: string; readonly session: string }
  /** A form that opens the page of the card's bank. */
  | { readonly type: 'post_form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }

/** The content of the page for a card: `GET /pay/{token}/card`. */
export interface CardPageView {
  readonly view: CheckoutView
  readonly step: CardStep
}

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
  /** Whether the page offers to cancel: the merchant has given an address for it. */
  readonly canCancel: boolean
  /** Whether the payer may choose another way to pay while the attempt is open. */
  readonly canLeave: boolean
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

/** The limit of pages for the reader's address is used up. */
export interface TooManyViews {
  readonly waitSeconds: number
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

/** The actions of the payer's page. The token in the address is its only permission. */
export interface CheckoutPort {
  /**
   * @param address the reader's network address
   * @param lastMethod the method of the payer's last payment in this browser
   * @returns null for a token without a payment
   */
  view(token: string, address: string, lastMethod?: string): Promise<CheckoutView | TooManyViews | null>
  /**
   * Handles a form of the page. `intent=cancel` cancels the payment if possible, `intent=leave` ends the open attempt if possible,
   * `intent=resume` makes a code for another phone, `intent=check` looks the open attempt up, and `intent=resend` prompts the same phone again if the earlier prompt can no longer be paid.
   * Any other form starts an attempt by `method` with the payer's `phone`, if the method needs one.
   * @returns null when the page shows the result
   */
  submit(
    token: string,
    form: { get(name: string): string | null },
    address?: string,
  ): Promise<RefusedForm | null>
  /**
   * @param typed the code of a payment as its payer typed it
   * @param address the payer's network address
   */
  resume(typed: string, address: string): Promise<{ readonly token: string } | 'unknown' | 'too-many'>
}
