import type { MerchantId, TransferId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { Transfer } from './actions/post.ts'

export async function insertAccounts(
  tx: Tx,
  merchantId: MerchantId,
  transfers: readonly Transfer[],
): Promise<void> {
  const named = transfers.flatMap(({ debit, credit, amount }) =>
    [debit, credit].map((code) => ({ code, currency: amount.currency })),
  )
  // In one order everywhere, so that two transactions that open the same accounts wait for each other and never in a circle.
  const accounts = [...new Map(named.map((each) => [`${each.code} ${each.currency}`, each])).entries()]
  accounts.sort(([a], [b]) => (a < b ? -1 : 1))
  await tx
    .insertInto('ledger_accounts')
    .values(accounts.map(([, account]) => ({ merchant_id: uuidOf(merchantId), ...account })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function insertTransfers(
  tx: Tx,
  merchantId: MerchantId,
  transfers: readonly (Transfer & { readonly id: TransferId; readonly createdAt: Date })[],
): Promise<void> {
  await tx
    .insertInto('ledger_transfers')
    .values(
      transfers.map(({ id, kind, debit, credit, amount, paymentId, causeId, createdAt }) => ({
        merchant_id: uuidOf(merchantId),
        id: uuidOf(id),
        kind,
        debit_code: debit,
        credit_code: credit,
        currency: amount.currency,
        amount_minor: amount.minor,
        payment_id: uuidOf(paymentId),
        cause_id: causeId,
        created_at: createdAt,
      })),
    )
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
