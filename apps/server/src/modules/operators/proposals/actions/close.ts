import type { ProposalId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import { lockPresent, type Operator } from '../../people/store-operators.ts'
import { closeProposal, findProposal, type Proposal } from '../store-proposals.ts'
import { auditClosed, type EndAction } from './audit-closed.ts'
import { requireDecider } from './decide.ts'

/** The operator of a call and the proposal that it names. */
export interface Deciding {
  readonly actor: Actor
  readonly operator: Operator
  readonly id: ProposalId
}

/**
 * The open proposal of another operator that this one may decide.
 * @throws AppError not_found, own_proposal, not_permitted, proposal_closed
 */
export async function decidableProposal(ctx: Pick<Ctx, 'db'>, { operator, id }: Deciding): Promise<Proposal> {
  const proposal = await findProposal(ctx.db.kysely, id)
  if (proposal === null) throw new AppError('not_found', { detail: 'There is no proposal with this id' })
  if (proposal.proposedBy === operator.id) throw new AppError('own_proposal')
  requireDecider(operator, proposal.kind)
  if (proposal.state !== 'open') throw new AppError('proposal_closed')
  return proposal
}

/** Rejects a proposal of another operator. */
export async function rejectProposal(ctx: Ctx, deciding: Deciding, reason: string): Promise<Proposal> {
  await decidableProposal(ctx, deciding)
  return close(ctx, deciding, { state: 'rejected', by: deciding.operator.id, reason }, 'proposal.rejected')
}

/** Withdraws an own proposal. */
export async function withdrawProposal(ctx: Ctx, deciding: Deciding): Promise<Proposal> {
  const proposal = await findProposal(ctx.db.kysely, deciding.id)
  if (proposal?.proposedBy !== deciding.operator.id)
    throw new AppError('not_found', { detail: 'You have no proposal with this id' })
  return close(ctx, deciding, { state: 'withdrawn', by: deciding.operator.id }, 'proposal.withdrawn')
}

/** Closes a proposal that could not be executed. */
export const closeAsStale = (ctx: Ctx, deciding: Deciding, reason: string): Promise<Proposal> =>
  close(ctx, deciding, { state: 'stale', reason }, 'proposal.closed')

const close = (
  ctx: Ctx,
  { actor, operator, id }: Deciding,
  decision: Parameters<typeof closeProposal>[2],
  action: EndAction,
): Promise<Proposal> =>
  ctx.db.tx(async (tx) => {
    const [present] = await lockPresent(tx, [operator.id])
    if (!present) throw new AppError('not_permitted', { detail: 'This operator was removed' })
    const closed = await closeProposal(tx, id, decision)
    if (closed === null) throw new AppError('proposal_closed')
    if (decision.state === 'rejected') requireDecider(present, closed.kind)
    await auditClosed(ctx, tx, actor, action, closed)
    return closed
  })
