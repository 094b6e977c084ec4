import { PublicCustomer, PublicCustomerQuery } from '@muripo/contract/customers'
import { CreatePayment, PublicPayment, PublicPaymentQuery } from '@muripo/contract/payments'
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
  { name: 'CreatePaymentParams', says: 'What a payment is made from.', schema: CreatePayment, io: 'input' },
  {
    name: 'Payment',
    says: 'A payment, as the gateway answers it.',
    schema: PublicPayment,
    io: 'output',
  },
  { name: 'ListPaymentsParams', says: 'Which payments to list.', schema: PublicPaymentQuery, io: 'input' },
  { name: 'Customer', says: 'Whom payments have named.', schema: PublicCustomer, io: 'output' },
  { name: 'ListCustomersParams', says: 'Which customers to list.', schema: PublicCustomerQuery, io: 'input' },
  { name: 'CreateRefundParams', says: 'What is to be given back.', schema: CreateRefund, io: 'input' },
  { name: 'Refund', says: 'A refund, as the gateway answers it.', schema: PublicRefund, io: 'output' },
  { name: 'ListRefundsParams', says: 'Which refunds to list.', schema: RefundQuery, io: 'input' },
  {
    name: 'CreateWebhookParams',
    says: 'What a webhook endpoint is made from.',
    schema: CreateWebhook,
    io: 'input',
  },
  { name: 'ChangeWebhookParams', says: 'What to change of it.', schema: ChangeWebhook, io: 'input' },
  { name: 'Webhook', says: 'Where events are sent.', schema: PublicWebhook, io: 'output' },
  {
    name: 'NewWebhook',
    says: 'A new endpoint with the secret for `verifyWebhook`, which is returned only once.',
    schema: createPublicWebhook.reply[201],
    io: 'output',
  },
  {
    name: 'RotatedWebhook',
    says: 'An endpoint with its new secret. The secret before signs too until it expires.',
    schema: rotatePublicSecret.reply[200],
    io: 'output',
  },
  {
    name: 'ListWebhooksParams',
    says: 'Which part of the endpoints to list.',
    schema: PublicWebhookQuery,
    io: 'input',
  },
  { name: 'MuripoEvent', says: 'What happened, as it is sent and read.', schema: WebhookEvent, io: 'output' },
  {
    name: 'Redelivery',
    says: 'An event and the endpoints that receive it again.',
    schema: redeliverEvent.reply[202],
    io: 'output',
  },
  { name: 'ListEventsParams', says: 'Which events to list.', schema: EventQuery, io: 'input' },
] as const

/** The contract's types in plain TypeScript, so that the package needs neither the contract nor zod. */
export function typesSource(): string {
  const types = declared.map(({ name, says, schema, io }) => {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) as JsonSchema
    return `/** ${says} */\nexport interface ${name} ${printType(json)}\n`
  })
  return ['// Written by `npm run generate -w muripo` from the contract.\n', ...types].join('\n')
}
