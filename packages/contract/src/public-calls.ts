import * as customers from './customers.ts'
import * as payments from './payments.ts'
import * as refunds from './refunds.ts'
import type { RouteSpec } from './route.ts'
import * as webhooks from './webhooks.ts'

/** The groups of the calls, in the order of the API reference. */
export const callGroups = {
  Payments: 'Create payments, follow them, and capture or cancel them.',
  Refunds: 'Return the amount of a completed payment, in full or in part.',
  Customers: 'The customers of your payments.',
  Webhooks: 'The addresses of your server to which events are posted.',
  Events: 'The events of the last 30 days.',
} as const
export type CallGroup = keyof typeof callGroups

export interface PublicCall {
  readonly spec: RouteSpec
  readonly group: CallGroup
  readonly description: string
}

/** The calls of the public surface by their names, which generated clients use as the names of functions. */
export const publicCalls = {
  createPayment: {
    spec: payments.createPayment,
    group: 'Payments',
    description:
      'Redirect the customer to the `payment_url` of the response. Send an `Idempotency-Key`, so that a repeated request creates one payment.',
  },
  listPayments: {
    spec: payments.listPublicPayments,
    group: 'Payments',
    description: 'The payments of the application of the key, newest first.',
  },
  getPayment: {
    spec: payments.getPayment,
    group: 'Payments',
    description: 'The current state of one payment.',
  },
  capturePayment: {
    spec: payments.capturePayment,
    group: 'Payments',
    description:
      'Captures an authorised payment once, in full or in part. Send an `Idempotency-Key`, so that a repeated request has the same response.',
  },
  cancelPayment: {
    spec: payments.cancelPayment,
    group: 'Payments',
    description:
      'No new attempts are accepted, and the payment fails at once or when the attempt in progress fails. An authorised payment is voided.',
  },
  createRefund: {
    spec: refunds.createRefund,
    group: 'Refunds',
    description:
      'Refunds a completed payment, in full or in part. Send an `Idempotency-Key`, so that a repeated request is one refund.',
  },
  listRefunds: {
    spec: refunds.listRefunds,
    group: 'Refunds',
    description: 'The refunds of the application of the key, or of one payment, newest first.',
  },
  getRefund: {
    spec: refunds.getRefund,
    group: 'Refunds',
    description: 'The current state of one refund.',
  },
  listCustomers: {
    spec: customers.listCustomers,
    group: 'Customers',
    description: 'The customers of the merchant, newest first. All applications of a merchant share them.',
  },
  getCustomer: {
    spec: customers.getCustomer,
    group: 'Customers',
    description: 'One customer, by the `customer.id` of a payment.',
  },
  createWebhook: {
    spec: webhooks.createPublicWebhook,
    group: 'Webhooks',
    description: 'Only this response contains the signing secret of the endpoint.',
  },
  listWebhooks: {
    spec: webhooks.listPublicWebhooks,
    group: 'Webhooks',
    description: 'The endpoints of the application of the key, newest first.',
  },
  getWebhook: {
    spec: webhooks.getPublicWebhook,
    group: 'Webhooks',
    description: 'One endpoint, without its secret.',
  },
  updateWebhook: {
    spec: webhooks.changePublicWebhook,
    group: 'Webhooks',
    description: 'Changes the address, the types of events or the status.',
  },
  deleteWebhook: {
    spec: webhooks.deletePublicWebhook,
    group: 'Webhooks',
    description: 'No more events are sent to the endpoint.',
  },
  rotateWebhookSecret: {
    spec: webhooks.rotatePublicSecret,
    group: 'Webhooks',
    description:
      'Creates a new secret, which only this response contains. For 24 hours deliveries are also signed with the previous secret.',
  },
  listEvents: {
    spec: webhooks.listEvents,
    group: 'Events',
    description:
      'The events of the last 30 days, the latest commit first: new events appear only before the listed ones.',
  },
  getEvent: {
    spec: webhooks.getEvent,
    group: 'Events',
    description: 'One event, as endpoints receive it.',
  },
  redeliverEvent: {
    spec: webhooks.redeliverEvent,
    group: 'Events',
    description: 'Sends the event to every endpoint that subscribes to its type or has received it before.',
  },
} as const satisfies Record<string, PublicCall>
export type PublicCallName = keyof typeof publicCalls
