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
  { name: 'CreatePaymentParams', states: 'What a payment is made from.', schema: CreatePayment, io: 'input' },
  {
    name: 'Payment',
    states: 'A payment, as the gateway answers it.',
    schema: PublicPayment,
    io: 'output',
  },
  { name: 'CapturePaymentParams', states: 'How much to capture.', schema: CapturePayment, io: 'input' },
  { name: 'ListPaymentsParams', states: 'Which payments to list.', schema: PublicPaymentQuery, io: 'input' },
  { name: 'Customer', states: 'Whom payments have named.', schema: PublicCustomer, io: 'output' },
  {
    name: 'ListCustomersParams',
    states: 'Which customers to list.',
    schema: PublicCustomerQuery,
    io: 'input',
  },
  { name: 'CreateRefundParams', states: 'The refund to create.', schema: CreateRefund, io: 'input' },
  { name: 'Refund', states: 'A refund, as the gateway answers it.', schema: PublicRefund, io: 'output' },
  { name: 'ListRefundsParams', states: 'Which refunds to list.', schema: RefundQuery, io: 'input' },
  {
    name: 'CreateWebhookParams',
    states: 'What a webhook endpoint is made from.',
    schema: CreateWebhook,
    io: 'input',
  },
  { name: 'ChangeWebhookParams', states: 'What to change of it.', schema: ChangeWebhook, io: 'input' },
  { name: 'Webhook', states: 'Where events are sent.', schema: PublicWebhook, io: 'output' },
  {
    name: 'NewWebhook',
    states: 'A new endpoint with the secret for `verifyWebhook`, which is returned only once.',
    schema: createPublicWebhook.reply[201],
    io: 'output',
  },
  {
    name: 'RotatedWebhook',
    states: 'An endpoint with its new secret. The secret before signs too until it expires.',
    schema: rotatePublicSecret.reply[200],
    io: 'output',
  },
  {
    name: 'ListWebhooksParams',
    states: 'Which part of the endpoints to list.',
    schema: PublicWebhookQuery,
    io: 'input',
  },
  {
    name: 'MuripoEvent',
    states: 'What happened, as it is sent and read.',
    schema: WebhookEvent,
    io: 'output',
  },
  {
    name: 'Redelivery',
    states: 'An event and the endpoints that receive it again.',
    schema: redeliverEvent.reply[202],
    io: 'output',
  },
  { name: 'ListEventsParams', states: 'Which events to list.', schema: EventQuery, io: 'input' },
] as const

/** The contract's types in plain TypeScript, so that the package needs neither the contract nor zod. */
export function typesSource(): string {
  const types = declared.map(({ name, states, schema, io }) => {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) as JsonSchema
    return `/** ${states} */\nexport interface ${name} ${printType(json)}\n`
  })
  return ['// Written by `npm run generate -w muripo` from the contract.\n', ...types].join('\n')
}
