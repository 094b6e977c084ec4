/** The numbers of the specification that both sides of the wire share. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
export const OTP_LENGTH = 6
export const PDF_MAX_BYTES = 10_485_760
export const RECENT_TRANSACTIONS = 4
export const REVENUE_DAYS = 30
/** A request body that is not an upload may have at most this many bytes. */
export const BODY_MAX_BYTES = 65_536
/** A stream of news that is opened this soon after its reader asked the lists has missed nothing: it is told again. */
export const LIVE_RETOLD_MS = 5000
/** A stream of news is never quiet for longer than this, unless it is lost. */
export const LIVE_BEAT_MS = 20_000
/** More than anybody has, and few enough to look through. */
export const PASSKEYS_MAX = 10
export const PASSKEY_NAME_MAX_LENGTH = 60
/** How a browser says that it reaches an authenticator. What else it names is left out. */
export const PASSKEY_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export const WEBHOOKS_MAX = 10
export const WEBHOOK_URL_MAX_LENGTH = 2048
/** How long the secret before the last still signs, beside the new one. */
export const WEBHOOK_OVERLAP_HOURS = 24
/** How long events and what became of their deliveries are kept. */
export const EVENT_DAYS = 30
/** Of what a webhook's receiver answers, so much is kept to be looked at. */
export const DELIVERY_LOG_BODY_BYTES = 2048
