import type { Currency } from './money.ts'
import type { PaymentMethod, StatusReason } from './payments.ts'

/** The content of the payer's page. The server decides all of it; the page only renders it. */
export interface CheckoutView {
  /**
   * choose: no attempt is open, and the payer selects a method. waiting: the payer has to confirm on the phone, or the outcome is being
   * looked up. refused: the last attempt failed, and another one may start. under_review: an operator has to decide; the payer need not
   * act. unavailable: the shop can take no payments at the moment.
   */
  readonly stage:
    | 'choose'
    | 'waiting'
    | 'completed'
    | 'refused'
    | 'cancelled'
    | 'expired'
    | 'refunded'
    | 'under_review'
    | 'unavailable'
  /** Whether the payment is simulated. */
  readonly isTest: boolean
  readonly shopName: string
  /** Decimal text with all decimals, "25.00". */
  readonly amount: string
  readonly currency: Currency
  readonly description: string
  readonly methods: readonly PaymentMethod[]
  /** Whether the page offers to cancel: the merchant has given an address for it. */
  readonly canCancel: boolean
  /** The latest attempt, if there is one. */
  readonly attempt: {
    readonly method: PaymentMethod
    /** The masked number, "077 *** 4567"; null for a method without a phone. */
    readonly phone: string | null
    /** Whole seconds since the attempt was sent. */
    readonly ageSeconds: number
    readonly failure: StatusReason | null
  } | null
  /** The address to continue at, with payment_id and status in the query; null when the merchant gave none. */
  readonly continueUrl: string | null
}

/** The error of a form of the payer's page with its field, and the entered values. */
export interface RefusedForm {
  readonly typed: { readonly method: string; readonly phone: string }
  readonly field: 'method' | 'phone' | null
  readonly message: string
}

/** The limit of pages for the reader's address is used up. */
export interface TooManyViews {
  readonly waitSeconds: number
}

/** The actions of the payer's page. The token in the address is its only permission. */
export interface CheckoutPort {
  /** Null for a token without a payment. `address` is the reader's network address. */
  view(token: string, address: string): Promise<CheckoutView | TooManyViews | null>
  /**
   * Handles a form of the page: `intent=cancel` cancels the payment if possible, any other sends the prompt for `method` to the payer's
   * `phone`.
   * @returns null when the page shows the result
   */
  submit(token: string, form: { get(name: string): string | null }): Promise<RefusedForm | null>
}
