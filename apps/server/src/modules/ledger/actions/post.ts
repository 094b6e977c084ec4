import { type MerchantId, type PaymentId, TransferId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import type { AccountCode, TransferKind } from '../accounts.ts'
import { insertAccounts, insertTransfer } from '../store.ts'

export interface Transfer {
  readonly kind: TransferKind
  readonly debit: AccountCode
  readonly credit: AccountCode
  readonly amount: Money
  readonly paymentId: PaymentId
  /** The UUID of the attempt or refund that moves the money: with the kind, it makes a transfer happen once. */
  readonly causeId: string
}

/** Moves money between two accounts of a merchant, in the caller's transaction: the cause and its transfer commit together. */
export async function post(ctx: Ctx, tx: Tx, merchantId: MerchantId, transfer: Transfer): Promise<void> {
  invariant(transfer.amount.minor > 0n, 'a transfer moves a positive amount')
  await insertAccounts(tx, merchantId, [transfer.debit, transfer.credit], transfer.amount.currency)
  await insertTransfer(tx, merchantId, ctx.ids.next(TransferId), transfer, ctx.clock.now())
}
