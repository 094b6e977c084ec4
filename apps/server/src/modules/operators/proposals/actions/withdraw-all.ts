import type { OperatorId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { withdrawAllOf } from '../store-proposals.ts'
import { auditClosed } from './audit-closed.ts'

/** Withdraws the open proposals of an operator who leaves. */
export async function withdrawProposalsOf(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  operator: OperatorId,
): Promise<void> {
  for (const withdrawn of await withdrawAllOf(tx, operator))
    await auditClosed(ctx, tx, actor, 'proposal.withdrawn', withdrawn)
}
