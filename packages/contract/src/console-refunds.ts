import { z } from 'zod'
import { ConsoleRefund } from './console-reviews.ts'
import { filterText } from './filters.ts'
import { ApplicationId, MerchantId, ProposalId, RefundId } from './ids.ts'
import { MOST_IN_BATCH, manualRefundStates } from './manual-refunds.ts'
import { Currency } from './money.ts'
import { route } from './route.ts'
import { PathId, personText, Timestamp } from './text.ts'

/** The console's refund desk, and the banking details that wait for a review. */

export const ManualRefund = ConsoleRefund.extend({
  takenUntil: Timestamp.nullable().meta({
    description: 'The end of the time for which this operator sees the number',
  }),
  proposalId: ProposalId.nullable().meta({ description: 'The open proposal that contains it' }),
})
export type ManualRefund = z.infer<typeof ManualRefund>

const RefundFilter = z.strictObject({
  state: z
    .enum(manualRefundStates)
    .optional()
    .meta({ description: 'Without it, those that an operator has to send or to clarify' }),
  provider: filterText(64).optional(),
  currency: Currency.optional(),
  search: filterText(200).optional().meta({ description: 'A shop, or the id of a refund or a payment' }),
})

export const listManualRefunds = route({
  method: 'GET',
  path: '/refunds',
  access: 'console.refunds.read',
  summary:
    'Refunds that a person sends: what waits, the oldest first, or what was sent or came back, the newest first',
  query: RefundFilter.extend({ cursor: RefundId.optional() }),
  reply: {
    200: z.object({
      refunds: z.array(ManualRefund),
      nextCursor: RefundId.nullable(),
      counts: z
        .object({ to_send: z.int(), to_clarify: z.int(), proposed: z.int() })
        .meta({ description: 'Of all that waits, without the filters' }),
      providers: z.array(z.string()),
    }),
  },
  errors: ['validation_failed', 'rate_limited'],
})

export const exportManualRefunds = route({
  method: 'GET',
  path: '/refunds/list',
  access: 'console.refunds.read',
  summary: 'All refunds of the same filters as a file for spreadsheets, with masked phone numbers',
  query: RefundFilter,
  reply: { 200: z.string() },
  file: 'text/csv',
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
