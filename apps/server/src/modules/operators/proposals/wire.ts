import { errorCatalogue } from '@muripo/contract/errors'
import { type OperatorId, PaymentId } from '@muripo/contract/ids'
import type { Proposal as WireProposal } from '@muripo/contract/proposals'
import type { Ctx } from '../../../platform/ctx.ts'
import { parseId } from '../../../platform/ids.ts'
import { type Operator, operatorsWith } from '../people/store-operators.ts'
import { whyNotDecider } from './actions/decide.ts'
import type { Proposal } from './store-proposals.ts'

/** Proposals as one operator sees them. */
export async function proposalsToWire(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  proposals: readonly Proposal[],
  viewer: Operator,
): Promise<WireProposal[]> {
  if (proposals.length === 0) return []
  const deciders = proposals.flatMap(({ proposedBy, decidedBy }) => [proposedBy, decidedBy ?? []].flat())
  const operators = await operatorsWith(db.kysely, deciders)
  const now = clock.now()
  return proposals.map((proposal) => toWire(proposal, { operators, viewer, now }))
}

interface Seen {
  readonly operators: ReadonlyMap<OperatorId, Operator>
  readonly viewer: Operator
  readonly now: Date
}

function toWire(proposal: Proposal, { operators, viewer, now }: Seen): WireProposal {
  const who = (id: OperatorId) => ({
    id,
    name: operators.get(id)?.name ?? '',
    email: operators.get(id)?.email ?? '',
  })
  const isOver = proposal.state === 'open' && proposal.expiresAt <= now
  const state = isOver ? 'expired' : proposal.state
  const whyNot = whyNotDecided(proposal, state, viewer)
  const { id, kind, subject, about, diff, reason, proposedBy, decidedBy, decisionReason } = proposal
  return {
    id,
    kind,
    subject,
    merchantId: proposal.accountId,
    paymentId: paymentOf(proposal),
    about,
    diff,
    reason,
    state,
    proposedBy: who(proposedBy),
    proposedAt: proposal.proposedAt.toISOString(),
    expiresAt: proposal.expiresAt.toISOString(),
    decidedBy: decidedBy === null ? null : who(decidedBy),
    decidedAt: proposal.decidedAt?.toISOString() ?? null,
    decisionReason,
    executedAt: proposal.executedAt?.toISOString() ?? null,
    mayApprove: whyNot === null,
    whyNot,
    mayWithdraw: state === 'open' && proposedBy === viewer.id,
  }
}

/** Each payload about a payment, an attempt, a review or a refund names the payment. An adjustment may name one, and is the merchant's. */
function paymentOf({ kind, payload }: Proposal): PaymentId | null {
  const { paymentId }: { readonly paymentId?: unknown } = payload
  return kind !== 'ledger.adjust' && typeof paymentId === 'string' ? parseId(PaymentId, paymentId) : null
}

function whyNotDecided(proposal: Proposal, state: WireProposal['state'], viewer: Operator): string | null {
  if (state !== 'open') return errorCatalogue.proposal_closed.title
  if (proposal.proposedBy === viewer.id) return errorCatalogue.own_proposal.title
  return whyNotDecider(viewer, proposal.kind)
}
