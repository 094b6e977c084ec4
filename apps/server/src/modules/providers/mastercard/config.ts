import type { Currency } from '@muripo/contract/money'

/** The settings that the acquiring bank gives to a merchant. */
export interface MastercardConfig {
  /** The bank's address of the gateway, without a path of the interface. */
  readonly url: string
  readonly merchantId: string
  readonly password: string
  readonly apiVersion: number
  /** The currencies that the bank has enabled. */
  readonly currencies: readonly Currency[]
  /** pay: the card is debited at once. authorise: the amount is reserved, and captured when the authorisation is confirmed. */
  readonly mode: 'pay' | 'authorise'
  /** The time after which an authorisation that waits for a merchant's capture is voided. */
  readonly captureWithinMs: number
  /** page: the payer enters the card on the gateway's page. session: in the gateway's fields on our page. */
  readonly checkout: 'page' | 'session'
  /** The secret that notifications carry; null when none is agreed. */
  readonly notificationSecret: string | null
}
