import type { MerchantId, TransferId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { AccountCode } from './accounts.ts'
import type { Transfer } from './actions/post.ts'

export async function insertAccounts(
  tx: Tx,
  merchantId: MerchantId,
  codes: readonly AccountCode[],
  currency: Currency,
): Promise<void> {
  // In one order everywhere, so that two transactions that open the same accounts wait for each other and never in a circle.
  const rows = [...codes].sort().map((code) => ({ merchant_id: uuidOf(merchantId), code, currency }))
  await tx
    .insertInto('ledger_accounts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function insertTransfer(
  tx: Tx,
  merchantId: MerchantId,
  id: TransferId,
  transfer: Transfer,
  createdAt: Date,
): Promise<void> {
  await tx
    .insertInto('ledger_transfers')
    .values({
      merchant_id: uuidOf(merchantId),
      id: uuidOf(id),
      kind: transfer.kind,
      debit_code: transfer.debit,
      credit_code: transfer.credit,
      currency: transfer.amount.currency,
      amount_minor: transfer.amount.minor,
      payment_id: uuidOf(transfer.paymentId),
      cause_id: transfer.causeId,
      created_at: createdAt,
    })
    .execute()
}

/** Debits less credits of each account, in minor units. */
export async function balancesOf(
  db: Queryable,
  merchantId: MerchantId,
): Promise<{ code: string; currency: string; balanceMinor: bigint }[]> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['code', 'currency', 'balance_minor'])
    .where('merchant_id', '=', uuidOf(merchantId))
    .orderBy('code')
    .orderBy('currency')
    .execute()
  return rows.map((row) => ({
    code: row.code ?? '',
    currency: row.currency ?? '',
    balanceMinor: row.balance_minor ?? 0n,
  }))
}
