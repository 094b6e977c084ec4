// Written by `npm run generate -w muripo` from the contract.

/** What a payment is made from. */
export interface CreatePaymentParams {
  /** In whole units of the currency: 25 is twenty-five dollars */
  readonly amount: number
  /** ISO 4217 code */
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  /** The purchase, in words that the customer sees; at most 500 characters, none of them a control character */
  readonly description: string
  /** The number of your order, or another name of your own; at most 100 characters, none of them a control character */
  readonly reference?: string | undefined
  /** The customer, as far as you know */
  readonly customer?: {
    /** Where the receipt is mailed once the payment is completed. A test payment mails to your own address only */
    readonly email?: string | undefined
    /** At most 200 characters, none of them a control character */
    readonly name?: string | undefined
    /** As people write it, such as 077 123 4567 */
    readonly phone?: string | undefined
  } | undefined
  /** The method to suggest; the customer may choose another */
  readonly method?: "ecocash" | "innbucks" | "onemoney" | "visa" | undefined
  /** manual: the customer authorises the amount, and you capture it later; offered for cards. automatic when left out */
  readonly capture?: "automatic" | "manual" | undefined
  /** The language of the payment page; the customer may choose another */
  readonly locale?: "en" | "sn" | "nd" | undefined
  /** Where the customer goes on to after paying */
  readonly success_url?: string | undefined
  /** Where the customer goes on to without having paid */
  readonly cancel_url?: string | undefined
  /** What you want to keep with the payment: at most 50 texts, each under a name of its own */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Seconds until it can no longer be paid; a day when left out */
  readonly expires_in?: number | undefined
}

/** A payment, as the gateway answers it. */
export interface Payment {
  /** What you read the payment by, and quote when you ask about it */
  readonly id: string
  readonly object: "payment"
  readonly status: "pending" | "authorized" | "completed" | "failed" | "refunded"
  /** The reason of the status, where there is one */
  readonly status_reason: "awaiting_payer" | "checking" | "under_review" | "awaiting_capture" | "insufficient_funds" | "wrong_pin" | "user_cancelled" | "expired" | "cancelled" | "limit_exceeded" | "barred" | "declined" | "provider_unavailable" | null
  readonly amount: number
  /** The amount refunded so far */
  readonly amount_refunded: number
  /** The fee of Muripo; null while the payment is not paid. A refund does not return it */
  readonly fee: number | null
  /** The captured amount less the fee; null while it is not paid */
  readonly net: number | null
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly description: string
  readonly reference: string | null
  /** What it is paid with; null until one is chosen */
  readonly method: "ecocash" | "innbucks" | "onemoney" | "visa" | null
  readonly customer: {
    /** Null while neither an email nor a phone number is known */
    readonly id: string | null
    readonly email: string | null
    readonly name: string | null
    readonly phone: string | null
  }
  /** The page on which the customer pays: send them there */
  readonly payment_url: string
  readonly locale: "en" | "sn" | "nd" | null
  readonly success_url: string | null
  readonly cancel_url: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly capture: "automatic" | "manual"
  /** With manual capture: how much of the amount was taken; null while nothing is */
  readonly amount_captured?: number | null | undefined
  /** With manual capture: when an authorisation that you do not capture is voided; null before it */
  readonly capture_before?: string | null | undefined
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** RFC 3339, UTC, milliseconds */
  readonly expires_at: string
  /** When you cancelled it. It stays pending while an attempt is in progress, and accepts no other attempt */
  readonly cancel_requested_at: string | null
}

/** How much to capture. */
export interface CapturePaymentParams {
  /** How much of the authorised amount to take; all of it when left out. The rest is released */
  readonly amount?: number | undefined
}

/** Which payments to list. */
export interface ListPaymentsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: "pending" | "authorized" | "completed" | "failed" | "refunded" | undefined
  readonly reference?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

/** Whom payments have named. */
export interface Customer {
  /** The same for every payment that names this email or, without an email, this number */
  readonly id: string
  readonly object: "customer"
  readonly email: string | null
  readonly name: string | null
  /** With its country code, such as +263771234567 */
  readonly phone: string | null
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
}

/** Which customers to list. */
export interface ListCustomersParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

/** The refund to create. */
export interface CreateRefundParams {
  /** A completed payment */
  readonly payment: string
  /** The amount to refund; the remaining refundable amount when left out */
  readonly amount?: number | undefined
  /** Why, for your records; at most 200 characters */
  readonly reason?: string | undefined
}

/** A refund, as the gateway answers it. */
export interface Refund {
  /** What you read the refund by */
  readonly id: string
  readonly object: "refund"
  readonly payment: string
  /** pending: on its way, or waiting for the operator of the gateway to send it by hand */
  readonly status: "pending" | "completed" | "failed"
  /** Why it failed; the money is yours again */
  readonly failure_reason: "awaiting_payer" | "checking" | "under_review" | "awaiting_capture" | "insufficient_funds" | "wrong_pin" | "user_cancelled" | "expired" | "cancelled" | "limit_exceeded" | "barred" | "declined" | "provider_unavailable" | null
  readonly amount: number
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly reason: string | null
  /** The provider's own word for it, as the customer may see it */
  readonly reference: string | null
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** RFC 3339, UTC, milliseconds */
  readonly updated_at: string
}

/** Which refunds to list. */
export interface ListRefundsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly payment?: string | undefined
}

/** What a webhook endpoint is made from. */
export interface CreateWebhookParams {
  /** Where events are posted; https */
  readonly url: string
  /** The types that are sent there */
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated")[]
}

/** What to change of it. */
export interface ChangeWebhookParams {
  readonly url?: string | undefined
  readonly events?: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated")[] | undefined
  /** disabled: nothing more is sent */
  readonly status?: "active" | "disabled" | undefined
}

/** Where events are sent. */
export interface Webhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated")[]
  /** failing: a delivery was given up. disabled: nothing is sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
}

/** A new endpoint with the secret for `verifyWebhook`, which is returned only once. */
export interface NewWebhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated")[]
  /** failing: a delivery was given up. disabled: nothing is sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** What its deliveries are signed with; shown this once */
  readonly secret: string
}

/** An endpoint with its new secret. The secret before signs too until it expires. */
export interface RotatedWebhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated")[]
  /** failing: a delivery was given up. disabled: nothing is sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** What its deliveries are signed with; shown this once */
  readonly secret: string
  /** RFC 3339, UTC, milliseconds */
  readonly previous_secret_expires_at: string
}

/** Which part of the endpoints to list. */
export interface ListWebhooksParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** What happened, as it is sent and read. */
export interface MuripoEvent {
  /** The same each time it is sent: what you have seen already, you need not act on again */
  readonly id: string
  readonly type: "payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated" | "webhook.test"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** Counts the events about one payment from 1: a higher number is newer */
  readonly sequence: number
  /** The payment as it was then, with `refund` where the type is of a refund; or another object, as the type says */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event and the endpoints that receive it again. */
export interface Redelivery {
  readonly event: string
  readonly webhooks: readonly (string)[]
}

/** Which events to list. */
export interface ListEventsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly type?: "payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "refund.failed" | "application.key_regenerated" | "webhook.test" | undefined
}
