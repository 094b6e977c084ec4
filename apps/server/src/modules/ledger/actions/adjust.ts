import { type AccountId, AdjustmentId, type PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { AccountCode } from '../transfer.ts'
import { postTransfers } from './post-transfers.ts'

export type AdjustableAccount = Exclude<AccountCode, 'refunds.payable' | 'unclaimed.payable'>

export interface Adjustment {
  readonly debit: AdjustableAccount
  readonly credit: AdjustableAccount
  readonly amount: Money
  readonly paymentId: PaymentId | null
  readonly reason: string
  /** The UUID of the attempt or refund whose amount at the provider differs from the booked one. */
  readonly causeId?: string
}

/** Books a correction in the caller's transaction: one more transfer, with its reason and author. */
export async function adjust(
  ctx: Ctx,
  tx: Tx,
  accountId: AccountId,
  actor: Pick<Actor, 'kind' | 'name'>,
  { debit, credit, amount, paymentId, reason, causeId }: Adjustment,
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
      cause_id: causeId ?? null,
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

/** The sum of the adjustments of an account for one attempt or refund: positive when the account holds more than was booked otherwise. */
export async function differencesOf(
  db: Queryable,
  accountId: AccountId,
  causeId: string,
  account: AdjustableAccount,
): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    select coalesce(sum(case when debit_code = ${account} then amount_minor
      when credit_code = ${account} then -amount_minor else 0 end), 0)::bigint as minor
    from ledger_adjustments where account_id = ${uuidOf(accountId)} and cause_id = ${causeId}`.execute(db)
  return rows[0]?.minor ?? 0n
}
