import type { Currency } from './money.ts'
import type { PaymentMethod, StatusReason } from './payments.ts'

/** What the payer's page shows. The server decides it whole; the page only draws it. */
export interface CheckoutView {
  /**
   * choose: nothing under way, pick a method. waiting: the payer has to confirm on the phone, or the outcome is being looked up.
   * refused: the last try did not go through, another may be made. under_review: a person has to look; nothing for the payer to do.
   * unavailable: the shop may take no payments at the moment.
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
  /** Whether no real money moves. */
  readonly isTest: boolean
  readonly shopName: string
  /** Decimal text with all decimals, "25.00". */
  readonly amount: string
  readonly currency: Currency
  readonly description: string
  readonly methods: readonly PaymentMethod[]
  /** Whether the payer is offered to cancel: the merchant has said where they go then. */
  readonly canCancel: boolean
  /** The latest try, if there was one. */
  readonly attempt: {
    readonly method: PaymentMethod
    /** With its middle hidden: "077 *** 4567". */
    readonly phone: string
    /** Whole seconds since it was sent. */
    readonly ageSeconds: number
    readonly failure: StatusReason | null
  } | null
  /** Where to go on from here, with payment_id and status in the query; null when the merchant gave no address. */
  readonly continueUrl: string | null
}

/** Why a form of the payer's page was not taken, beside the field that it is about, and what the payer had typed. */
export interface RefusedForm {
  readonly typed: { readonly method: string; readonly phone: string }
  readonly field: 'method' | 'phone' | null
  readonly message: string
}

/** Too many pages were asked for from where the reader is. */
export interface TooManyViews {
  readonly waitSeconds: number
}

/** What the payer's page may see and do. The token in the address is its only permission. */
export interface CheckoutPort {
  /** Null for a token that names no payment. `address` is where the reader is. */
  view(token: string, address: string): Promise<CheckoutView | TooManyViews | null>
  /**
   * Takes a form of the page: `intent=cancel` cancels the payment if it still can be, any other sends the prompt for `method` to the
   * payer's `phone`.
   * @returns null when the page shows how it stands now
   */
  submit(token: string, form: { get(name: string): string | null }): Promise<RefusedForm | null>
}
