import { z } from 'zod'
import { proposalKinds, proposalStates } from './console-permissions.ts'
import { OperatorId, ProposalId } from './ids.ts'
import { PasskeyRequestOptions, ShownPasskey } from './passkeys.ts'
import { route } from './route.ts'
import { bounded, optional, PathId, personText, Timestamp } from './text.ts'

/** An open proposal expires after this time. */
export const PROPOSAL_HOURS = 72

const Who = z.object({ id: OperatorId, name: z.string(), email: z.string() })

export const Proposal = z.object({
  id: ProposalId,
  kind: z.enum(proposalKinds),
  /** The id of the merchant, the attempt or the refund. */
  subject: z.string(),
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

export const createProposal = route({
  method: 'POST',
  path: '/proposals',
  access: 'console.decide',
  summary: 'Propose a decision, which another operator approves; with one operator it is executed at once',
  body: z.strictObject({
    kind: z.enum(proposalKinds),
    subject: PathId.meta({ description: 'The id of a merchant, of a payment in review, or of a refund' }),
    attempt: optional(PathId).meta({ description: 'attempt.resolve: the attempt, when several wait' }),
    reason: personText(300, 'Please give a reason').meta({
      description: 'The second operator reads it; of a decision about a merchant, the merchant too',
    }),
    seen: optional(bounded(64)).meta({
      description: 'merchant.approve: `seen` of the merchant as the proposer saw it',
    }),
    reserved: optional(bounded(300)).meta({
      description: 'merchant.approve: the reserved words that the names may contain',
    }),
    outcome: optional(z.enum(['completed', 'failed'])).meta({ description: 'attempt.resolve' }),
    reference: optional(bounded(100)).meta({
      description: "attempt.resolve as completed, and refund.resolve: the provider's reference",
    }),
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
