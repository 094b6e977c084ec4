import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Proposal } from '../store-proposals.ts'

export type EndAction = 'proposal.rejected' | 'proposal.withdrawn' | 'proposal.closed'

/** Records the end of a proposal that was not executed. */
export const auditClosed = (
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  action: EndAction,
  { id, kind, subject: about, accountId, decisionReason: reason }: Proposal,
): Promise<void> =>
  audit(ctx, tx, actor, {
    action,
    subject: id,
    accountId,
    details: { kind, about, ...(reason !== null && { reason }) },
  })
