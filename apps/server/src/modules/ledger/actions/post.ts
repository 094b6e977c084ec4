import { type AccountId, type PaymentId, TransferId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import type { AccountCode, TransferKind } from '../accounts.ts'
import { insertTransfers } from '../store.ts'

export interface Transfer {
  readonly kind: TransferKind
  readonly debit: AccountCode
  readonly credit: AccountCode
  readonly amount: Money
  /** Null for an adjustment without a payment. */
  readonly paymentId: PaymentId | null
  /** The UUID of the attempt or refund that causes the transfer: with the kind, it makes a transfer unique. */
  readonly causeId: string
}

/**
 * Posts transfers between accounts of an environment, in the caller's transaction: the cause and its transfers commit together. A transfer
 * of zero is left out: a payment without a fee has no fee to book.
 */
export async function post(
  ctx: Ctx,
  tx: Tx,
  accountId: AccountId,
  ...transfers: readonly Transfer[]
): Promise<void> {
  for (const { amount } of transfers)
    invariant(amount.minor >= 0n, 'a transfer never moves a negative amount')
  const moving = transfers.filter(({ amount }) => amount.minor > 0n)
  if (moving.length === 0) return
  const createdAt = ctx.clock.now()
  await insertTransfers(
    tx,
    moving.map((transfer) => ({ ...transfer, accountId, id: ctx.ids.next(TransferId), createdAt })),
  )
}
