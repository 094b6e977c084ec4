import type { Delivery, Webhook } from '@muripo/contract/dashboard-webhooks'
import { type DeliveryError, type EventType, eventTypes } from '@muripo/contract/enums'

export type Tone = 'green' | 'yellow' | 'red' | 'grey'

export const eventTexts: Readonly<Record<EventType, string>> = {
  'payment.completed': 'A customer has paid',
  'payment.failed': 'A payment failed',
  'payment.refunded': 'A payment was refunded in full or in part',
  'payment.reversed': 'The provider took a completed payment back',
  'refund.failed': 'A refund did not go through',
  'application.key_regenerated': 'The application key was replaced',
}

export const eventsText = (events: readonly string[]): string =>
  events.length === eventTypes.length ? 'All events' : events.join(', ')

export const webhookStatus: Readonly<Record<Webhook['status'], { tone: Tone; word: string }>> = {
  active: { tone: 'green', word: 'Active' },
  failing: { tone: 'red', word: 'Failing' },
  disabled: { tone: 'grey', word: 'Off' },
}

export const deliveryStatus: Readonly<Record<Delivery['status'], { tone: Tone; word: string }>> = {
  delivered: { tone: 'green', word: 'Delivered' },
  pending: { tone: 'yellow', word: 'Pending' },
  failed: { tone: 'red', word: 'Failed' },
}

const errors: Readonly<Record<Exclude<DeliveryError, 'refused'>, string>> = {
  timed_out: 'No answer within 15 seconds',
  not_found: 'Host not found',
  address_refused: 'Not on the public network',
  connection_failed: 'No connection',
  certificate_invalid: 'Certificate not valid',
  endpoint_off: 'Not sent, the endpoint was off',
}

/** The result of a delivery attempt in a few words. */
export function answerText({
  responseStatus,
  error,
}: {
  readonly responseStatus: number | null
  readonly error: DeliveryError | null
}): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`
  return error === null || error === 'refused' ? 'Not sent yet' : errors[error]
}

/** The error in an address before the server checks it; only the server knows whether it may be called. */
export function urlError(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return 'Endpoint URL is required'
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? null : 'Must be an https address'
}

/** Formatted JSON, or any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
