import { type AccountId, AdjustmentId, type PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { AccountCode } from '../transfer.ts'
import { postTransfers } from './post-transfers.ts'

export type AdjustableAccount = Exclude<AccountCode, 'refunds.payable'>

export interface Adjustment {
  readonly debit: AdjustableAccount
  readonly credit: AdjustableAccount
  readonly amount: Money
  readonly paymentId: PaymentId | null
  readonly reason: string
}

/** Books a correction in the caller's transaction: one more transfer, with its reason and author. */
export async function adjust(
  ctx: Ctx,
  tx: Tx,
  accountId: AccountId,
  actor: Pick<Actor, 'kind' | 'name'>,
  { debit, credit, amount, paymentId, reason }: Adjustment,
): Promise<AdjustmentId> {
  const id = ctx.ids.next(AdjustmentId)
  await tx
    .insertInto('ledger_adjustments')
    .values({
      account_id: uuidOf(accountId),
      id: uuidOf(id),
      payment_id: paymentId && uuidOf(paymentId),
      debit_code: debit,
      credit_code: credit,
      currency: amount.currency,
      amount_minor: amount.minor,
      reason,
      actor: `${actor.kind} ${actor.name}`,
      created_at: ctx.clock.now(),
    })
    .execute()
  await postTransfers(ctx, tx, accountId, {
    kind: 'adjustment',
    debit,
    credit,
    amount,
    paymentId,
    causeId: uuidOf(id),
  })
  return id
}

/** Books a difference between the booked and the real balance of clearing. The other side is on suspense until an operator moves it. */
export const toSuspense = (
  clearing: AdjustableAccount,
  { minor, currency }: Money,
): Pick<Adjustment, 'debit' | 'credit' | 'amount'> | null => {
  if (minor === 0n) return null
  return minor > 0n
    ? { debit: clearing, credit: 'suspense', amount: { minor, currency } }
    : { debit: 'suspense', credit: clearing, amount: { minor: -minor, currency } }
}
