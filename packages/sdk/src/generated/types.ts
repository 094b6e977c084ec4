// Written by `npm run generate -w muripo` from the contract.

/** The payment to create. */
export interface CreatePaymentParams {
  /** In units of the currency: 25 and USD are twenty-five dollars */
  readonly amount: number
  /** ISO 4217 code */
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  /** The purchase, as the customer reads it; without control characters */
  readonly description: string
  /** The number of your order, or another reference of yours; without control characters */
  readonly reference?: string | null | undefined
  /** The details of the customer that you know */
  readonly customer?: {
    /** As in the responses. It is not used: the email or the phone number identifies the customer */
    readonly id?: string | null | undefined
    /** The address to which the receipt is mailed when the payment is completed. A test payment mails to your own address only */
    readonly email?: string | null | undefined
    /** In one line, without control characters */
    readonly name?: string | null | undefined
    /** In national or international form, such as 077 123 4567 */
    readonly phone?: string | null | undefined
  } | null | undefined
  /** The method to suggest; the customer may choose another */
  readonly method?: "ecocash" | "innbucks" | "onemoney" | "visa" | null | undefined
  /** manual: the customer authorises the amount, and you capture it later; available for cards. The default is automatic */
  readonly capture?: "automatic" | "manual" | null | undefined
  /** The language of the payment page; the customer may choose another */
  readonly locale?: "en" | "sn" | "nd" | null | undefined
  /** The address to which the page redirects the customer after the payment */
  readonly success_url?: string | null | undefined
  /** The address to which the page redirects a customer who has not paid */
  readonly cancel_url?: string | null | undefined
  /** Your own data about the payment: at most 50 names, each with a text */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined
  /** Seconds after which the payment can no longer be paid; the default is a day */
  readonly expires_in?: number | null | undefined
}

/** A payment. */
export interface Payment {
  /** Identifies the payment in calls and in questions to support */
  readonly id: string
  readonly object: "payment"
  readonly status: "pending" | "authorized" | "completed" | "failed" | "refunded"
  /** The reason of the status, or null */
  readonly status_reason: "awaiting_payer" | "checking" | "under_review" | "awaiting_capture" | "insufficient_funds" | "wrong_pin" | "user_cancelled" | "expired" | "cancelled" | "limit_exceeded" | "barred" | "declined" | "provider_unavailable" | null
  readonly amount: number
  /** The amount refunded so far */
  readonly amount_refunded: number
  /** The amount that the provider took back and has not returned, such as a lost dispute: it is no longer yours and cannot be refunded */
  readonly amount_reversed: number
  /** The fee of Muripo; null until the payment is completed. A refund does not return the fee */
  readonly fee: number | null
  /** The captured amount less the fee; null until the payment is completed */
  readonly net: number | null
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly description: string
  readonly reference: string | null
  /** The payment method; null until the customer chooses one */
  readonly method: "ecocash" | "innbucks" | "onemoney" | "visa" | null
  readonly customer: {
    /** Null until an email or a phone number is known */
    readonly id: string | null
    readonly email: string | null
    readonly name: string | null
    readonly phone: string | null
  }
  /** The page on which the customer pays: redirect the customer to it */
  readonly payment_url: string
  readonly locale: "en" | "sn" | "nd" | null
  readonly success_url: string | null
  readonly cancel_url: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly capture: "automatic" | "manual"
  /** The methods that can take the payment; empty when it is no longer pending */
  readonly methods: readonly ("ecocash" | "innbucks" | "onemoney" | "visa")[]
  /** With manual capture: the captured amount; null until the capture */
  readonly amount_captured?: number | null | undefined
  /** With manual capture: the time at which the gateway voids an authorisation without a capture; null before the authorisation */
  readonly capture_before?: string | null | undefined
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** RFC 3339, UTC, milliseconds */
  readonly expires_at: string
  /** The time of your cancellation. The payment stays pending while an attempt is in progress, and accepts no new attempt */
  readonly cancel_requested_at: string | null
}

/** The amount to capture. */
export interface CapturePaymentParams {
  /** The amount to capture; the default is the authorised amount. The remaining amount is released */
  readonly amount?: number | null | undefined
}

/** The filters of a list of payments. */
export interface ListPaymentsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: "pending" | "authorized" | "completed" | "failed" | "refunded" | undefined
  readonly reference?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

/** A customer of one or more payments. */
export interface Customer {
  /** The same for every payment with this email or, without an email, with this phone number */
  readonly id: string
  readonly object: "customer"
  readonly email: string | null
  readonly name: string | null
  /** With its country code, such as +263771234567 */
  readonly phone: string | null
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
}

/** The filters of a list of customers. */
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
  /** The amount to refund; the default is the remaining refundable amount */
  readonly amount?: number | null | undefined
  /** The reason, for your records */
  readonly reason?: string | null | undefined
}

/** A refund. */
export interface Refund {
  /** Identifies the refund in calls */
  readonly id: string
  readonly object: "refund"
  readonly payment: string
  /** pending: the provider has not confirmed the refund, or an operator of the gateway has yet to send it */
  readonly status: "pending" | "completed" | "failed"
  /** The reason of a failure. The amount is on your balance again */
  readonly failure_reason: "awaiting_payer" | "checking" | "under_review" | "awaiting_capture" | "insufficient_funds" | "wrong_pin" | "user_cancelled" | "expired" | "cancelled" | "limit_exceeded" | "barred" | "declined" | "provider_unavailable" | null
  readonly amount: number
  readonly currency: "USD" | "ZWG" | "ZAR" | "BWP" | "GBP" | "EUR"
  readonly reason: string | null
  /** The provider's reference of the refund, which the customer may see */
  readonly reference: string | null
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** RFC 3339, UTC, milliseconds */
  readonly updated_at: string
}

/** The filters of a list of refunds. */
export interface ListRefundsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly payment?: string | undefined
}

/** The webhook endpoint to create. */
export interface CreateWebhookParams {
  /** The https address to which events are posted */
  readonly url: string
  /** The types of events to send */
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated")[]
}

/** The changes of a webhook endpoint. */
export interface ChangeWebhookParams {
  readonly url?: string | null | undefined
  readonly events?: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated")[] | null | undefined
  /** disabled: no events are sent */
  readonly status?: "active" | "disabled" | null | undefined
}

/** A webhook endpoint. */
export interface Webhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated")[]
  /** failing: all attempts of a delivery failed. disabled: no events are sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
}

/** A new endpoint with the secret for `verifyWebhook`, which is returned only once. */
export interface NewWebhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated")[]
  /** failing: all attempts of a delivery failed. disabled: no events are sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The secret that signs deliveries; returned only in this response */
  readonly secret: string
}

/** An endpoint with its new secret. Events are also signed with the previous secret until it expires. */
export interface RotatedWebhook {
  readonly id: string
  readonly object: "webhook"
  readonly url: string
  readonly events: readonly ("payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated")[]
  /** failing: all attempts of a delivery failed. disabled: no events are sent */
  readonly status: "active" | "failing" | "disabled"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The secret that signs deliveries; returned only in this response */
  readonly secret: string
  /** RFC 3339, UTC, milliseconds */
  readonly previous_secret_expires_at: string
}

/** The page of a list of endpoints. */
export interface ListWebhooksParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** An event and the endpoints that receive it again. */
export interface Redelivery {
  readonly event: string
  readonly webhooks: readonly (string)[]
}

/** The filters of a list of events. */
export interface ListEventsParams {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly type?: "payment.authorized" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.reversed" | "payment.reversal_booked" | "payment.reversal_dismissed" | "payment.reversal_undone" | "refund.failed" | "application.key_regenerated" | "webhook.test" | undefined
}

/** An event of the type `payment.authorized`. */
export interface PaymentAuthorizedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.authorized"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment
}

/** An event of the type `payment.completed`. */
export interface PaymentCompletedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.completed"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment
}

/** An event of the type `payment.failed`. */
export interface PaymentFailedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.failed"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment
}

/** An event of the type `payment.refunded`. */
export interface PaymentRefundedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.refunded"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly refund: Refund
  }
}

/** An event of the type `payment.reversed`. */
export interface PaymentReversedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.reversed"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly reversal: {
      /** The reversed amount; null when the provider does not state it */
      readonly amount: number | null
    }
  }
}

/** An event of the type `payment.reversal_booked`. */
export interface PaymentReversalBookedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.reversal_booked"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly reversal: {
      /** The booked or returned amount */
      readonly amount: number
    }
  }
}

/** An event of the type `payment.reversal_dismissed`. */
export interface PaymentReversalDismissedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.reversal_dismissed"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly reversal: {
      /** The reversed amount; null when the provider does not state it */
      readonly amount: number | null
    }
  }
}

/** An event of the type `payment.reversal_undone`. */
export interface PaymentReversalUndoneEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "payment.reversal_undone"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly reversal: {
      /** The booked or returned amount */
      readonly amount: number
    }
  }
}

/** An event of the type `refund.failed`. */
export interface RefundFailedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "refund.failed"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: Payment & {
    readonly refund: Refund
    /** The refund that sends the amount again, when the refund was completed and its amount came back */
    readonly replacement?: Refund | undefined
  }
}

/** An event of the type `application.key_regenerated`. */
export interface ApplicationKeyRegeneratedEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "application.key_regenerated"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: {
    readonly object: "application"
    readonly id: string
    readonly name: string
  }
}

/** An event of the type `webhook.test`. */
export interface WebhookTestEvent {
  /** The same in each delivery of the event: ignore an id that you have processed */
  readonly id: string
  readonly type: "webhook.test"
  /** RFC 3339, UTC, milliseconds */
  readonly created_at: string
  /** The number of the event among those of its payment, from 1: a higher number is newer */
  readonly sequence: number
  readonly data: {
    readonly object: "webhook"
    readonly id: string
    readonly message: string
  }
}

/** An event, as it is sent to endpoints and returned by the API: `type` decides the type of `data`. */
export type MuripoEvent =
  | PaymentAuthorizedEvent
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | PaymentRefundedEvent
  | PaymentReversedEvent
  | PaymentReversalBookedEvent
  | PaymentReversalDismissedEvent
  | PaymentReversalUndoneEvent
  | RefundFailedEvent
  | ApplicationKeyRegeneratedEvent
  | WebhookTestEvent
