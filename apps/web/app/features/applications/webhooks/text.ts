import english from 'virtual:texts/webhooks/en'
import type { Delivery, Webhook } from '@muripo/contract/dashboard-webhooks'
import { type DeliveryError, type EventType, eventTypes } from '@muripo/contract/webhook-enums'
import type { Translate } from '@muripo/locales/translator'
import type { webhooks } from '@muripo/locales/webhooks'
import { usePageText } from '../../../lib/page-text.ts'
import { parsedUrl } from '../../../lib/parsed-url.ts'

export type WebhooksText = Translate<typeof webhooks>

export const useWebhooksText = (): WebhooksText => usePageText<typeof webhooks>(english)

type Tone = 'green' | 'yellow' | 'red' | 'grey'
type Key = keyof typeof webhooks

export const eventTexts = {
  'payment.authorized': 'paymentAuthorizedEvent',
  'payment.completed': 'paymentCompletedEvent',
  'payment.failed': 'paymentFailedEvent',
  'payment.refunded': 'paymentRefundedEvent',
  'payment.reversed': 'paymentReversedEvent',
  'payment.reversal_booked': 'paymentReversalBookedEvent',
  'payment.reversal_dismissed': 'paymentReversalDismissedEvent',
  'payment.reversal_undone': 'paymentReversalUndoneEvent',
  'refund.failed': 'refundFailedEvent',
  'application.key_regenerated': 'keyRegeneratedEvent',
} as const satisfies Readonly<Record<EventType, Key>>

export const eventsText = (events: readonly string[], t: WebhooksText): string =>
  events.length === eventTypes.length ? t('allEvents') : events.join(', ')

export const webhookStatus = {
  active: { tone: 'green', text: 'endpointActive' },
  failing: { tone: 'red', text: 'endpointFailing' },
  disabled: { tone: 'grey', text: 'endpointOff' },
} as const satisfies Readonly<Record<Webhook['status'], { tone: Tone; text: Key }>>

export const deliveryStatus = {
  delivered: { tone: 'green', text: 'delivered' },
  pending: { tone: 'yellow', text: 'deliveryPending' },
  failed: { tone: 'red', text: 'deliveryFailed' },
} as const satisfies Readonly<Record<Delivery['status'], { tone: Tone; text: Key }>>

const errors = {
  timed_out: 'answerTimedOut',
  not_found: 'answerNotFound',
  address_refused: 'answerAddressRefused',
  connection_failed: 'answerConnectionFailed',
  certificate_invalid: 'answerCertificateInvalid',
  endpoint_off: 'answerEndpointOff',
} as const satisfies Readonly<Record<Exclude<DeliveryError, 'refused'>, Key>>

interface Answer {
  readonly responseStatus: number | null
  readonly error: DeliveryError | null
}

/** The result of a delivery attempt in a few words. */
export function answerText({ responseStatus, error }: Answer, t: WebhooksText): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`
  return t(error === null || error === 'refused' ? 'notSentYet' : errors[error])
}

/** The error in an address before the server checks it; only the server knows whether it may be called. */
export function urlError(typed: string, t: WebhooksText): string | null {
  const text = typed.trim()
  if (text === '') return t('endpointUrlMissing')
  return /^https?:$/.test(parsedUrl(text)?.protocol ?? '') ? null : t('endpointUrlNotHttps')
}

/** Formatted JSON, or any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
