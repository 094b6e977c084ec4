/** The types of events for merchants' servers. */
export const eventTypes = [
  'payment.authorized',
  'payment.completed',
  'payment.failed',
  'payment.refunded',
  'payment.reversed',
  'payment.reversal_booked',
  'payment.reversal_dismissed',
  'payment.reversal_undone',
  'refund.failed',
  'application.key_regenerated',
] as const
export type EventType = (typeof eventTypes)[number]

/** An event that is sent to one endpoint on its owner's request. */
export const TEST_EVENT = 'webhook.test'

export const webhookStatuses = ['active', 'failing', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The reasons of a failed delivery attempt. */
export const deliveryErrors = [
  'refused',
  'timed_out',
  'not_found',
  'address_refused',
  'connection_failed',
  'certificate_invalid',
  'endpoint_off',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]
