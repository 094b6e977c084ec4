/** Numbers of the specification that both sides of the wire share. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
export const OTP_LENGTH = 6
export const PDF_MAX_BYTES = 10_485_760
export const RECENT_TRANSACTIONS = 4
export const REVENUE_DAYS = 30
/** The limit of a request body that is not an upload. */
export const BODY_MAX_BYTES = 65_536
/**
 * A client that opens its stream within this time after it fetched its lists misses no update: the stream begins with the updates of this
 * time.
 */
export const LIVE_RETOLD_MS = 5000
/** The longest time without an event or heartbeat on a stream that is connected. */
export const LIVE_BEAT_MS = 20_000
/** More than any account needs, and few enough to list. */
export const PASSKEYS_MAX = 10
export const PASSKEY_NAME_MAX_LENGTH = 60
/** The transports of an authenticator that are stored; a browser may report others. */
export const PASSKEY_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export const WEBHOOKS_MAX = 10
export const WEBHOOK_URL_MAX_LENGTH = 2048
/** The time during which the previous secret still signs, beside the new one. */
export const WEBHOOK_OVERLAP_HOURS = 24
/** The retention time of events and their deliveries. */
export const EVENT_DAYS = 30
/** The stored part of an endpoint's response body. */
export const DELIVERY_LOG_BODY_BYTES = 2048

/** Of the search by payment ID: longer than any ID. */
export const SEARCH_MAX_LENGTH = 200

/** The purpose of a payment at a till whose cashier names none. */
export const COUNTER_PURPOSE = 'Payment at the counter'
