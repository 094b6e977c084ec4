import { z } from 'zod'
import { ApplicationId, EventId, WebhookId } from './ids.ts'
import { PublicPayment } from './payments.ts'
import { PublicRefund } from './refunds.ts'
import { Timestamp } from './text.ts'
import { type EventType, TEST_EVENT } from './webhook-enums.ts'

const PaymentWithRefund = z.intersection(PublicPayment, z.object({ refund: PublicRefund }))

const Reversal = z.object({
  amount: z.number().nullable().describe('The reversed amount; null when the provider does not state it'),
})
const PaymentWithReversal = z.intersection(PublicPayment, z.object({ reversal: Reversal }))
const BookedReversal = z.intersection(
  PublicPayment,
  z.object({ reversal: z.object({ amount: z.number().describe('The booked or returned amount') }) }),
)
const PaymentWithFailedRefund = z.intersection(
  PublicPayment,
  z.object({
    refund: PublicRefund,
    replacement: PublicRefund.describe(
      'The refund that sends the amount again, when the refund was completed and its amount came back',
    ).optional(),
  }),
)

/** The `data` of each type of event. */
const eventData = {
  'payment.authorized': PublicPayment,
  'payment.completed': PublicPayment,
  'payment.failed': PublicPayment,
  'payment.refunded': PaymentWithRefund,
  'payment.reversed': PaymentWithReversal,
  'payment.reversal_booked': BookedReversal,
  'payment.reversal_dismissed': PaymentWithReversal,
  'payment.reversal_undone': BookedReversal,
  'refund.failed': PaymentWithFailedRefund,
  'application.key_regenerated': z.object({
    object: z.literal('application'),
    id: ApplicationId,
    name: z.string(),
  }),
  [TEST_EVENT]: z.object({ object: z.literal('webhook'), id: WebhookId, message: z.string() }),
} satisfies Record<EventType | typeof TEST_EVENT, z.ZodType>

/** The occasion of each type of event. */
export const eventMeanings: Readonly<Record<keyof typeof eventData, string>> = {
  'payment.authorized':
    'The customer of a payment with manual capture has authorised the amount: capture it before `capture_before`, or cancel it.',
  'payment.completed': 'A payment is paid; with manual capture, its capture is confirmed.',
  'payment.failed':
    'A payment can no longer be paid, or its authorisation was voided, refused or has expired.',
  'payment.refunded': 'A refund is completed. `data.refund` contains it.',
  'payment.reversed':
    'The provider has reversed a completed payment. `data.reversal` contains the amount. Do not deliver the goods: the operator reviews each reversal.',
  'payment.reversal_booked':
    'The operator has confirmed a reversal, and its amount has left your balance. `data.reversal` contains it.',
  'payment.reversal_dismissed':
    'The operator has found no reversal: the payment is yours as before. `data.reversal` contains the reported amount.',
  'payment.reversal_undone':
    'The provider has returned an amount of a booked reversal, and it is yours again. `data.reversal` contains it.',
  'refund.failed': 'A refund failed, and its amount is on your balance again. `data.refund` contains it.',
  'application.key_regenerated': "The application's key was replaced. `data` contains no key.",
  [TEST_EVENT]: 'A user of the dashboard has sent a test event.',
}

/** The name of the schema of a type: `application.key_regenerated` is ApplicationKeyRegeneratedEvent. */
export const eventNameOf = (type: keyof typeof eventData): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`

const event = <const Type extends keyof typeof eventData>(type: Type) =>
  z
    .object({
      id: EventId.describe('The same in each delivery of the event: ignore an id that you have processed'),
      type: z.literal(type),
      created_at: Timestamp,
      sequence: z
        .int()
        .describe('The number of the event among those of its payment, from 1: a higher number is newer'),
      data: eventData[type],
    })
    .meta({ id: eventNameOf(type) })

const documentedEventTypes = Object.keys(eventData) as (keyof typeof eventData)[]

/**
 * The events by their types, as this release emits them. Stored events of earlier releases may have fewer fields, so the calls that return
 * events answer with the wider `WebhookEvent`.
 */
export const documentedEvents = documentedEventTypes.map(event)
