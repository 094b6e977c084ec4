// Written by `npm run generate -w muripo` from the contract.

/** What a payment is made from. */
export interface CreatePaymentParams {
  readonly amount: number
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly description: string
  readonly reference?: string | undefined
  readonly customer?: {
    readonly email?: string | undefined
    readonly name?: string | undefined
    readonly phone?: string | undefined
  } | undefined
  readonly method?: "ecocash" | "innbucks" | "onemoney" | "visa" | undefined
  readonly success_url?: string | undefined
  readonly cancel_url?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Seconds until the payment expires */
  readonly expires_in?: number | undefined
}

/** A payment, as the gateway answers it. */
export interface Payment {
  readonly id: string
  readonly object: "payment"
  readonly status: "pending" | "completed" | "failed" | "refunded"
  readonly status_reason: "awaiting_payer" | "checking" | "under_review" | "insufficient_funds" | "wrong_pin" | "user_cancelled" | "expired" | "limit_exceeded" | "barred" | "declined" | "provider_unavailable" | null
  readonly amount: number
  readonly amount_refunded: number
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly description: string
  readonly reference: string | null
  readonly method: "ecocash" | "innbucks" | "onemoney" | "visa" | null
  readonly customer: {
    readonly email: string | null
    readonly name: string | null
    readonly phone: string | null
  }
  readonly payment_url: string
  readonly success_url: string | null
  readonly cancel_url: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** RFC 3339, UTC, milliseconds */
  readonly expires_at: string
}
