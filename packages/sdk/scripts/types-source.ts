import { PublicCustomer, PublicCustomerQuery } from '@muripo/contract/customers'
import { CapturePayment, CreatePayment, PublicPayment, PublicPaymentQuery } from '@muripo/contract/payments'
import { CreateRefund, PublicRefund, RefundQuery } from '@muripo/contract/refunds'
import {
  ChangeWebhook,
  CreateWebhook,
  createPublicWebhook,
  EventQuery,
  PublicWebhook,
  PublicWebhookQuery,
  redeliverEvent,
  rotatePublicSecret,
  WebhookEvent,
} from '@muripo/contract/webhooks'
import { z } from 'zod'
import { type JsonSchema, printType } from './print-type.ts'

const declared = [
  { name: 'CreatePaymentParams', comment: 'The payment to create.', schema: CreatePayment, io: 'input' },
  {
    name: 'Payment',
    comment: 'A payment.',
    schema: PublicPayment,
    io: 'output',
  },
  { name: 'CapturePaymentParams', comment: 'The amount to capture.', schema: CapturePayment, io: 'input' },
  {
    name: 'ListPaymentsParams',
    comment: 'The filters of a list of payments.',
    schema: PublicPaymentQuery,
    io: 'input',
  },
  { name: 'Customer', comment: 'A customer of one or more payments.', schema: PublicCustomer, io: 'output' },
  {
    name: 'ListCustomersParams',
    comment: 'The filters of a list of customers.',
    schema: PublicCustomerQuery,
    io: 'input',
  },
  { name: 'CreateRefundParams', comment: 'The refund to create.', schema: CreateRefund, io: 'input' },
  { name: 'Refund', comment: 'A refund.', schema: PublicRefund, io: 'output' },
  {
    name: 'ListRefundsParams',
    comment: 'The filters of a list of refunds.',
    schema: RefundQuery,
    io: 'input',
  },
  {
    name: 'CreateWebhookParams',
    comment: 'The webhook endpoint to create.',
    schema: CreateWebhook,
    io: 'input',
  },
  {
    name: 'ChangeWebhookParams',
    comment: 'The changes of a webhook endpoint.',
    schema: ChangeWebhook,
    io: 'input',
  },
  { name: 'Webhook', comment: 'A webhook endpoint.', schema: PublicWebhook, io: 'output' },
  {
    name: 'NewWebhook',
    comment: 'A new endpoint with the secret for `verifyWebhook`, which is returned only once.',
    schema: createPublicWebhook.reply[201],
    io: 'output',
  },
  {
    name: 'RotatedWebhook',
    comment:
      'An endpoint with its new secret. Events are also signed with the previous secret until it expires.',
    schema: rotatePublicSecret.reply[200],
    io: 'output',
  },
  {
    name: 'ListWebhooksParams',
    comment: 'The page of a list of endpoints.',
    schema: PublicWebhookQuery,
    io: 'input',
  },
  {
    name: 'MuripoEvent',
    comment: 'An event, as it is sent to endpoints and returned by the API.',
    schema: WebhookEvent,
    io: 'output',
  },
  {
    name: 'Redelivery',
    comment: 'An event and the endpoints that receive it again.',
    schema: redeliverEvent.reply[202],
    io: 'output',
  },
  { name: 'ListEventsParams', comment: 'The filters of a list of events.', schema: EventQuery, io: 'input' },
] as const

/** The contract's types in plain TypeScript, so that the package needs neither the contract nor zod. */
export function typesSource(): string {
  const types = declared.map(({ name, comment, schema, io }) => {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) as JsonSchema
    return `/** ${comment} */\nexport interface ${name} ${printType(json)}\n`
  })
  return ['// Written by `npm run generate -w muripo` from the contract.\n', ...types].join('\n')
}
