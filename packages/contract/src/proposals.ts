import { z } from 'zod'
import { operatorRoles, proposalKinds, proposalStates } from './console-permissions.ts'
import { paymentMethods } from './enums.ts'
import { AccountId, OperatorId, PaymentId, ProposalId } from './ids.ts'
import { adjustableInWords, adjustablePattern } from './ledger.ts'
import { MOST_IN_BATCH } from './manual-refunds.ts'
import { Currency } from './money.ts'
import { PasskeyRequestOptions, ShownPasskey } from './passkeys.ts'
import { route } from './route.ts'
import { bounded, optional, PathId, personName, personText, Timestamp } from './text.ts'

/** An open proposal expires after this time. */
export const PROPOSAL_HOURS = 72

const Who = z.object({ id: OperatorId, name: z.string(), email: z.string() })

export const Proposal = z.object({
  id: ProposalId,
  kind: z.enum(proposalKinds),
  /** The id of the merchant, the payment, the refund or another object; of an operator the email. */
  subject: z.string(),
  /** The environment of the merchant that it is about; null for a subject of no merchant, or of several. */
  merchantId: AccountId.nullable(),
  /** The payment to which the subject belongs; null for a subject of no payment, or of several. */
  paymentId: PaymentId.nullable(),
  /** The merchant, the payment or the refund in words. */
  about: z.string(),
  /** The changes that the approval makes, line by line. */
  diff: z.array(z.object({ label: z.string(), from: z.string().nullable(), to: z.string() })),
  reason: z.string(),
  state: z.enum(proposalStates),
  proposedBy: Who,
  proposedAt: Timestamp,
  expiresAt: Timestamp,
  /** The operator who approved, rejected or withdrew it. */
  decidedBy: Who.nullable(),
  decidedAt: Timestamp.nullable(),
  decisionReason: z.string().nullable(),
  executedAt: Timestamp.nullable(),
  mayApprove: z.boolean().meta({ description: 'Whether the caller may approve and reject it' }),
  /** The sentence in the place of the button; null when the caller may approve it. */
  whyNot: z.string().nullable(),
  mayWithdraw: z.boolean(),
})
export type Proposal = z.infer<typeof Proposal>

export const listProposals = route({
  method: 'GET',
  path: '/proposals',
  access: 'console.proposals.read',
  summary: 'The proposals of a state, the newest first',
  query: z.strictObject({ state: z.enum(proposalStates).optional(), cursor: ProposalId.optional() }),
  reply: { 200: z.object({ proposals: z.array(Proposal), nextCursor: ProposalId.nullable() }) },
  errors: ['validation_failed', 'rate_limited'],
})

const adjustableAccount = bounded(50).regex(adjustablePattern, `Must be ${adjustableInWords}`)

const outcomes = ['completed', 'failed', 'unclaimed', 'reversed', 'bounced', 'differs', 'unchanged'] as const

/** The fields of single kinds. `proposals/inputs` has the kinds of each field, and refuses it for another kind. */
export const ofKind = {
  seen: optional(bounded(64)).meta({
    description: 'merchant.approve: `seen` of the merchant as the proposer saw it',
  }),
  reserved: optional(bounded(300)).meta({
    description: 'merchant.approve: the reserved words that the names may contain',
  }),
  attempt: optional(PathId).meta({ description: 'attempt.resolve: the attempt, when several wait' }),
  review: optional(PathId).meta({
    description: 'anomaly.resolve, payment.return: the review, when the payment has several',
  }),
  outcome: optional(z.enum(outcomes)).meta({
    description:
      'attempt.resolve: completed or failed. refund.resolve: completed, failed or unclaimed. anomaly.resolve: completed, reversed, bounced, differs or unchanged',
  }),
  reference: optional(bounded(100)).meta({ description: "The provider's reference of a completed outcome" }),
  although: optional(personText(300, 'Please give a reason')).meta({
    description: 'refund.resolve: the reason when the provider has reported the charge as returned',
  }),
  amount: optional(bounded(20)).meta({
    description:
      'As 12.50. attempt.resolve, refund.resolve, refund.settle: the amount that the provider moved, when it differs. refund.open: a part. Otherwise the amount',
  }),
  to: optional(z.enum(['suspense', 'merchant'])).meta({
    description: 'anomaly.resolve as differs: the side of the difference; suspense by default',
  }),
  byHand: optional(z.boolean()).meta({ description: 'refund.open: an operator sends it' }),
  refunds: optional(
    z
      .array(z.strictObject({ refund: PathId, reference: personText(100, 'Please give the reference') }))
      .min(1)
      .max(MOST_IN_BATCH),
  ).meta({
    description: "refund.batch: the refunds that were sent by hand, each with its provider's reference",
  }),
  debit: optional(adjustableAccount).meta({
    description: 'ledger.adjust: the account to which the amount goes',
  }),
  credit: optional(adjustableAccount).meta({ description: 'ledger.adjust: the account from which it comes' }),
  currency: optional(Currency).meta({
    description: 'ledger.adjust; provider.route: each currency without a route of its own, when left out',
  }),
  payment: optional(PathId).meta({ description: 'ledger.adjust: the payment that it is about' }),
  forTests: optional(z.boolean()).meta({ description: 'ledger.adjust: in the environment for tests' }),
  revision: optional(z.int().min(1).max(999_999_999)).meta({
    description: 'banking.approve, banking.reject: the change that the operator has read',
  }),
  mode: optional(z.enum(['test', 'live'])).meta({ description: 'key.revoke' }),
  method: optional(z.enum(paymentMethods)).meta({ description: 'provider.route' }),
  route: optional(bounded(200)).meta({
    description: 'provider.route: accounts in order, separated by commas; none; or default',
  }),
  name: optional(personName(200, 'Please give the name')).meta({ description: 'operator.add' }),
  role: optional(z.enum(operatorRoles)).meta({ description: 'operator.add, operator.role' }),
}

export const createProposal = route({
  method: 'POST',
  path: '/proposals',
  access: 'console.decide',
  summary: 'Propose a decision, which another operator approves; with one operator it is executed at once',
  body: z.strictObject({
    kind: z.enum(proposalKinds),
    subject: bounded(254).meta({
      description:
        'The id of a merchant, an application, a payment, a refund, an account at a provider or a person, or the email of an operator; of refund.batch the id of its first refund',
    }),
    reason: personText(300, 'Please give a reason').meta({
      description: 'The second operator reads it; of a decision about a merchant, the merchant too',
    }),
    ...ofKind,
  }),
  reply: {
    200: z.object({ executed: z.literal(true) }),
    201: Proposal,
  },
  errors: ['validation_failed', 'proposal_open', 'proposal_refused', 'proposal_stale', 'rate_limited'],
})
export type ProposalInput = z.output<(typeof createProposal)['body']>

const ProposalParams = z.object({ proposalId: PathId })

export const signProposal = route({
  method: 'POST',
  path: '/proposals/:proposalId/sign',
  access: 'console.decide',
  summary: "The browser's options to sign the approval of a proposal with a passkey",
  params: ProposalParams,
  reply: { 200: PasskeyRequestOptions },
  errors: ['proposal_closed', 'own_proposal', 'rate_limited'],
})

export const approveProposal = route({
  method: 'POST',
  path: '/proposals/:proposalId/approve',
  access: 'console.decide',
  summary:
    'Approve and execute a proposal of another operator, exactly as it is stored, signed with a passkey',
  params: ProposalParams,
  body: z.strictObject({ passkey: ShownPasskey }),
  reply: { 200: Proposal },
  errors: [
    'validation_failed',
    'passkey_refused',
    'passkey_expired',
    'proposal_closed',
    'proposal_stale',
    'proposal_refused',
    'own_proposal',
    'rate_limited',
  ],
})

export const rejectProposal = route({
  method: 'POST',
  path: '/proposals/:proposalId/reject',
  access: 'console.decide',
  summary: 'Send a proposal of another operator back, with a reason',
  params: ProposalParams,
  body: z.strictObject({ reason: personText(300, 'Please give a reason') }),
  reply: { 200: Proposal },
  errors: ['validation_failed', 'proposal_closed', 'own_proposal', 'rate_limited'],
})

export const withdrawProposal = route({
  method: 'POST',
  path: '/proposals/:proposalId/withdraw',
  access: 'console.decide',
  summary: 'Withdraw the own proposal',
  params: ProposalParams,
  reply: { 200: Proposal },
  errors: ['proposal_closed', 'rate_limited'],
})
