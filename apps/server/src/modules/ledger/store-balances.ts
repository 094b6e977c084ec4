import { MerchantId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

/** One kind of account of all merchants, or of one. */
export interface AccountSum {
  readonly code: string
  readonly currency: Currency
  readonly debitMinor: bigint
  readonly creditMinor: bigint
}

/** An account of a merchant of which something is not as it must be. */
export interface AccountFault {
  readonly merchantId: MerchantId
  readonly code: string
  readonly currency: Currency
}

/** Brings the balances up to the transfers; returns how many were noted. */
export async function foldTransfers(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_ledger(${most}::int) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

const of = (merchantId: MerchantId | null) =>
  merchantId === null ? sql`true` : sql`merchant_id = ${uuidOf(merchantId)}`

export async function sumAccounts(db: Queryable, merchantId: MerchantId | null): Promise<AccountSum[]> {
  const { rows } = await sql<{ code: string; currency: Currency; debit: bigint; credit: bigint }>`
    select code, currency, sum(debit_minor)::bigint as debit, sum(credit_minor)::bigint as credit
    from ledger_balances where ${of(merchantId)} group by code, currency order by currency, code`.execute(db)
  return rows.map(({ code, currency, debit, credit }) => ({
    code,
    currency,
    debitMinor: debit,
    creditMinor: credit,
  }))
}

/** Going over everything takes longer than a request may; whoever asks is in no hurry. */
export const unhurried = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.tx(async (tx) => {
    await sql`set local statement_timeout = '60s'`.execute(tx)
    return work(tx)
  })

/** Accounts whose balance is not the sum of their transfers. */
export const findDrift = (db: Queryable, merchantId: MerchantId | null): Promise<AccountFault[]> =>
  faults(db, sql`ledger_balances_drift where ${of(merchantId)}`)

/** Merchants of whom more has gone out to payers than was set aside for them. */
export const findOverdrawn = (db: Queryable, merchantId: MerchantId | null): Promise<AccountFault[]> =>
  faults(db, sql`ledger_balances where ${of(merchantId)} and code = 'refunds.payable' and balance_minor > 0`)

const MOST_FAULTS = 20

async function faults(db: Queryable, where: ReturnType<typeof sql>): Promise<AccountFault[]> {
  const { rows } = await sql<{ merchant_id: string; code: string; currency: Currency }>`
    select merchant_id, code, currency from ${where} order by 1, 2, 3 limit ${MOST_FAULTS}`.execute(db)
  return rows.map(({ merchant_id, ...account }) => ({
    merchantId: idFrom(MerchantId, merchant_id),
    ...account,
  }))
}
