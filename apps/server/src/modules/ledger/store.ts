import type { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import { transfers } from './tables.ts'
import type { Transfer, TransferOwner } from './transfer.ts'

export type NewTransfer = Transfer & TransferOwner & { readonly createdAt: Date }

const inserted = transfers.recordSet()
const { names } = inserted.text

/** The columns of `transferRow`, as json_to_recordset reads them. */
export const transferDefinition = inserted.text.definition

export const transferRow = (transfer: NewTransfer): object => inserted.row(transfer)

/**
 * The parts of a WITH clause that insert the transfers of a relation, and the accounts that they use for the first time. Accounts are
 * inserted in one order everywhere, so that two transactions that insert the same accounts cannot deadlock.
 */
export const insertTransfersFrom = (given: string): string => `opened_accounts as (
    insert into ledger_accounts (account_id, code, currency)
    select distinct account_id, code, currency from ${given} cross join lateral (values (debit_code), (credit_code)) as of (code)
    order by account_id, code, currency
    on conflict do nothing
  ), posted as (
    insert into ledger_transfers (${names}, position) select ${names}, (select transaction_position()) from ${given}
  )`

export async function insertTransfers(tx: Tx, posted: readonly NewTransfer[]): Promise<void> {
  const rows = JSON.stringify(posted.map(transferRow))
  const insert = sql`
    with given as materialized (
      select * from json_to_recordset(${rows}) as given (${sql.raw(transferDefinition)})
    ), ${sql.raw(insertTransfersFrom('given'))}
    select`
  await runPrepared(tx, 'insert-transfers', insert)
}

/** Whether an amount was ever booked on this kind of account, by any merchant. */
export async function hasAccountOf(db: Queryable, code: string): Promise<boolean> {
  const found = await db
    .selectFrom('ledger_accounts')
    .select('code')
    .where('code', '=', code)
    .limit(1)
    .execute()
  return found.length > 0
}

/** The balance of each account, debits less credits, in minor units. */
export async function balancesOf(
  db: Queryable,
  accountId: AccountId,
): Promise<{ code: string; currency: string; balanceMinor: bigint }[]> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['code', 'currency', 'balance_minor'])
    .where('account_id', '=', uuidOf(accountId))
    .orderBy('code')
    .orderBy('currency')
    .execute()
  return rows.map((row) => ({
    code: row.code ?? '',
    currency: row.currency ?? '',
    balanceMinor: row.balance_minor ?? 0n,
  }))
}

/** The id of the newest adjustment of an account; null without one. */
export async function newestAdjustment(db: Queryable, accountId: AccountId): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_adjustments')
    .select('id')
    .where('account_id', '=', uuidOf(accountId))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
