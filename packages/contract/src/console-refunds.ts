import { z } from 'zod'
import { MOST_IN_BATCH, manualRefundStates } from './console-permissions.ts'
import { paymentMethods } from './enums.ts'
import { AccountId, ApplicationId, MerchantId, PaymentId, ProposalId, RefundId } from './ids.ts'
import { Currency } from './money.ts'
import { route } from './route.ts'
import { bounded, PathId, personText, Timestamp } from './text.ts'

/** The console's refund desk, and the banking details that wait for a review. */

export const ManualRefund = z.object({
  refundId: RefundId,
  /** The environment of the merchant: the id in the address of the payment. */
  merchantId: AccountId,
  paymentId: PaymentId,
  shopName: z.string(),
  amount: z.number(),
  currency: Currency,
  since: Timestamp,
  provider: z.string(),
  method: z.enum(paymentMethods),
  phone: z.string().nullable().meta({ description: 'Masked until the refund is taken out' }),
  chargeReference: z.string().nullable(),
  providerStatus: z.string().nullable(),
  origin: z.string(),
  reason: z.string().nullable(),
  /** Made with a test key: no money has moved, and none is to be sent. */
  isTest: z.boolean(),
  /** The provider paid it after its failure: refund.settle resolves it. */
  isPaidLate: z.boolean(),
  takenUntil: Timestamp.nullable().meta({
    description: 'The end of the time for which this operator sees the number',
  }),
  proposalId: ProposalId.nullable().meta({ description: 'The open proposal that contains it' }),
})
export type ManualRefund = z.infer<typeof ManualRefund>

export const listManualRefunds = route({
  method: 'GET',
  path: '/refunds',
  access: 'console.refunds.read',
  summary: 'Refunds that an operator has to send or to clarify, the oldest first, at most 500',
  query: z.strictObject({
    state: z.enum(manualRefundStates).optional(),
    provider: bounded(64).optional(),
    currency: Currency.optional(),
    search: bounded(200).optional().meta({ description: 'A shop, or the id of a refund or a payment' }),
  }),
  reply: {
    200: z.object({
      refunds: z.array(ManualRefund),
      counts: z
        .record(z.enum(manualRefundStates), z.int())
        .meta({ description: 'Without the other filters' }),
      providers: z.array(z.string()),
    }),
  },
  errors: ['validation_failed', 'rate_limited'],
})

const taken = z.array(PathId).min(1).max(MOST_IN_BATCH)

export const takeOutRefunds = route({
  method: 'POST',
  path: '/refunds/take-out',
  access: 'console.refunds.take',
  summary:
    'Show the phone numbers of refunds to this operator for 15 minutes, to send them; audited with the reason',
  body: z.strictObject({ refunds: taken, reason: personText(300, 'Please give a reason') }),
  reply: { 201: z.object({ until: Timestamp }) },
  errors: ['validation_failed', 'proposal_refused', 'rate_limited'],
})

export const exportTakenRefunds = route({
  method: 'GET',
  path: '/refunds/export',
  access: 'console.refunds.take',
  summary: 'The refunds that this operator has taken out, as a file for spreadsheets',
  reply: { 200: z.string() },
  file: 'text/csv',
  errors: ['rate_limited'],
})

export const WaitingBanking = z.object({
  merchantId: MerchantId,
  merchantName: z.string(),
  applicationId: ApplicationId,
  applicationName: z.string(),
  revision: z.int(),
  changedAt: Timestamp,
  accountName: z.string(),
  bankName: z.string(),
  accountNumber: z.string().meta({ description: 'Its last four characters until the merchant is revealed' }),
  accountType: z.string(),
})
export type WaitingBanking = z.infer<typeof WaitingBanking>

export const listWaitingBanking = route({
  method: 'GET',
  path: '/banking',
  access: 'console.banking.read',
  summary: 'Banking details that wait for a review, the oldest first, at most 50',
  reply: { 200: z.object({ banking: z.array(WaitingBanking) }) },
  errors: ['rate_limited'],
})
