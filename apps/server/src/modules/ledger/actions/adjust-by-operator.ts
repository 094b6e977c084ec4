import type { AdjustmentId } from '@muripo/contract/ids'
import { toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Adjustment } from '../adjustment.ts'
import type { TransferOwner } from '../transfer.ts'
import { adjust } from './adjust.ts'

/** Books a correction of an operator, with its audit entry. */
export const adjustByOperator = (
  ctx: Ctx,
  operator: Actor,
  owner: TransferOwner,
  adjustment: Omit<Adjustment, 'actor' | 'causeId'>,
): Promise<AdjustmentId> =>
  ctx.db.tx(async (tx) => {
    const id = await adjust(ctx, tx, owner, { ...adjustment, actor: operator })
    const { debit, credit, amount, reason, paymentId } = adjustment
    await audit(ctx, tx, operator, {
      action: 'ledger.adjusted',
      subject: id,
      accountId: owner.accountId,
      details: { debit, credit, amount: toDecimal(amount), currency: amount.currency, reason, paymentId },
    })
    return id
  })
