import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { lockPresent } from '../../people/store-operators.ts'
import { confirmedOnce, executing, NotDone } from '../executing.ts'
import { kindOf } from '../kinds/index.ts'
import { notPossible, refusalIn } from '../kinds/kind.ts'
import { closeProposal, findProposal, type Proposal } from '../store-proposals.ts'
import { closeAsStale, type Deciding, decidableProposal } from './close.ts'
import { type DecisionCtx, kindCtxOf, requireDecider } from './decide.ts'

const CHANGED = 'The subject has changed since the proposal'

/** The subject is not the one that the proposer saw. */
class Stale extends Error {}

/**
 * Approves a proposal of another operator and executes its stored payload in one transaction. A proposal that cannot be executed is closed.
 * @param confirm confirms the session of the call in each transaction that writes
 * @throws AppError proposal_closed, proposal_stale, own_proposal, not_permitted
 */
export async function approveProposal(
  context: DecisionCtx,
  deciding: Deciding,
  confirm: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<Proposal> {
  const { ctx } = context
  const { id, actor, operator } = deciding
  const proposal = await decidableProposal(ctx, deciding)
  const kind = kindOf(proposal.kind)
  const payload = proposal.payload as Parameters<typeof kind.versionIn>[1]
  const payments = await kindCtxOf(context, kind.accountOf(payload))

  const before = async (tx: Tx): Promise<void> => {
    const present = await lockPresent(tx, [operator.id, proposal.proposedBy])
    const approver = present.find((each) => each.id === operator.id)
    if (!approver || present.length < 2) throw new AppError('proposal_closed')
    requireDecider(approver, proposal.kind)
    if (!(await closeProposal(tx, id, { state: 'approved', by: operator.id })))
      throw new AppError('proposal_closed')
    if ((await kind.versionIn(tx, payload)) !== proposal.version) throw new Stale()
  }
  const after = async (tx: Tx): Promise<void> => {
    const { kind, subject: about, accountId, proposedBy, reason } = proposal
    const details = { kind, about, proposedBy, reason }
    await audit(payments, tx, actor, { action: 'proposal.approved', subject: id, accountId, details })
    await confirm(tx)
  }
  const execution = executing(payments, { before, after, isDone: kind.isDone })
  const marked = { ...actor, marks: { ...actor.marks, proposal: id } }
  const why = await kind
    .execute(execution.ctx, marked, payload)
    .then((result) => (execution.hasCommitted() ? null : kind.whyNot(result)))
    .catch((error: unknown) => {
      if (error instanceof Stale) return CHANGED
      if (error instanceof NotDone) return notPossible
      const refusal = refusalIn(error)
      if (refusal === null) throw error
      return execution.hasCommitted() ? null : refusal
    })
  if (why !== null) {
    await closeAsStale(confirmedOnce(ctx, confirm), deciding, why)
    throw new AppError('proposal_stale', why === CHANGED ? {} : { detail: why })
  }
  const approved = await findProposal(ctx.db.kysely, id)
  invariant(approved, 'a proposal is never deleted')
  return approved
}
