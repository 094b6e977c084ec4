import { PublicCustomer, PublicCustomerQuery } from '@muripo/contract/customers'
import { documentedEvents, eventNameOf } from '@muripo/contract/events'
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
} from '@muripo/contract/webhooks'
import { z } from 'zod'
import { type JsonSchema, printType } from './print-type.ts'

interface Declared {
  readonly name: string
  readonly comment: string
  readonly schema: z.ZodType
  readonly io: 'input' | 'output'
}

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
    name: 'Redelivery',
    comment: 'An event and the endpoints that receive it again.',
    schema: redeliverEvent.reply[202],
    io: 'output',
  },
  { name: 'ListEventsParams', comment: 'The filters of a list of events.', schema: EventQuery, io: 'input' },
] as const satisfies readonly Declared[]

function eventsSource(): string[] {
  const events = documentedEvents.map((schema) => {
    const type = schema.shape.type.value
    return {
      name: eventNameOf(type),
      comment: `An event of the type \`${type}\`.`,
      schema,
      io: 'output',
    } as const
  })
  const union = events.map(({ name }) => `  | ${name}`).join('\n')
  return [
    ...events.map(interfaceSource),
    `/** An event, as it is sent to endpoints and returned by the API: \`type\` decides the type of \`data\`. */\nexport type MuripoEvent =\n${union}\n`,
  ]
}

function interfaceSource({ name, comment, schema, io }: Declared): string {
  const { $ref, $defs, ...inline } = z.toJSONSchema(schema, { io, unrepresentable: 'throw' })
  // A schema with a name of its own is a reference to itself.
  const json = ($ref ? $defs?.[$ref.replace('#/$defs/', '')] : inline) as JsonSchema
  return `/** ${comment} */\nexport interface ${name} ${printType(json)}\n`
}

/** The contract's types in plain TypeScript, so that the package needs neither the contract nor zod. */
export function typesSource(): string {
  const types = [...declared.map(interfaceSource), ...eventsSource()]
  return ['// Written by `npm run generate -w muripo` from the contract.\n', ...types].join('\n')
}
