import type { AdjustmentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { type Adjustment, newAdjustment } from '../adjustment.ts'
import { adjustments } from '../tables.ts'
import type { TransferOwner } from '../transfer.ts'
import { postTransfers } from './post-transfers.ts'

/** Books a correction in the caller's transaction: one more transfer, with its reason and author. */
export async function adjust(
  ctx: Ctx,
  tx: Tx,
  owner: TransferOwner,
  adjustment: Adjustment,
): Promise<AdjustmentId> {
  const { entry, transfer } = newAdjustment(ctx, owner.accountId, adjustment)
  await tx.insertInto('ledger_adjustments').values(adjustments.row(entry)).execute()
  await postTransfers(ctx, tx, owner, transfer)
  return entry.id
}
