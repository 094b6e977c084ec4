import { AccountId, type MerchantId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

/** The environments of a comparison: of all merchants or of one, and those of the gateway's own mode or test environments. */
export interface LedgerScope {
  readonly merchantId: MerchantId | null
  readonly tests: boolean
}

/** The sum of one kind of account in a scope. */
export interface AccountSum {
  readonly code: string
  readonly currency: Currency
  readonly debitMinor: bigint
  readonly creditMinor: bigint
}

/** An account that violates a condition. */
export interface AccountFault {
  readonly accountId: AccountId
  readonly code: string
  readonly currency: Currency
}

/** Adds about so many transfers to the balances. Returns their number: zero while another process aggregates. */
export async function addTransfers(db: Queryable, most: number): Promise<number> {
  const { rows } = await sql<{ applied: number }>`
    select aggregate_ledger_balances(${most}::int) as applied`.execute(db)
  return rows[0]?.applied ?? 0
}

/** Transfers below this position are in the balances. */
export async function balancesPosition(db: Queryable): Promise<bigint> {
  const { position } = await db
    .selectFrom('ledger_balance_position')
    .select('position')
    .executeTakeFirstOrThrow()
  return position
}

/** The age of the oldest transfer that is not in the balances; zero when all are. */
export async function balancesLagMs(db: Queryable): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce((extract(epoch from ${databaseNow} - min(created_at)) * 1000)::float8, 0) as lag
    from ledger_new_transfers`.execute(db)
  return rows[0]?.lag ?? 0
}

/** Whether a row belongs to the scope. Test payments are never added to the others. */
export const inLedgerScope = ({ merchantId, tests }: LedgerScope) => sql<boolean>`account_id in (
  select id from environments where (id <> merchant_id) = ${tests}
    and ${merchantId === null ? sql`true` : sql`environments.merchant_id = ${uuidOf(merchantId)}`})`

export async function sumAccounts(db: Queryable, scope: LedgerScope): Promise<AccountSum[]> {
  const { rows } = await sql<{ code: string; currency: Currency; debit: bigint; credit: bigint }>`
    select code, currency, sum(debit_minor)::bigint as debit, sum(credit_minor)::bigint as credit
    from ledger_balances where ${inLedgerScope(scope)} group by code, currency order by currency, code`.execute(
    db,
  )
  return rows.map(({ code, currency, debit, credit }) => ({
    code,
    currency,
    debitMinor: debit,
    creditMinor: credit,
  }))
}

/** The time-out of a statement, and a signal that aborts it. */
export interface LongTimeout {
  readonly mostMs: number
  readonly signal?: AbortSignal
}

/**
 * A statement over all rows takes longer than a request may. Sessions look rows up by key, which for all rows together would take quadratic
 * time.
 */
export const withLongTimeout = <T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  { mostMs, signal }: LongTimeout = { mostMs: 60_000 },
): Promise<T> =>
  db.tx(async (tx) => {
    signal?.throwIfAborted()
    const { rows } = await sql<{ pid: number }>`
      select pg_backend_pid() as pid, set_config('statement_timeout', ${`${mostMs}`}, true),
        set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
        set_config('enable_seqscan', 'on', true)`.execute(tx)
    const cancel = () =>
      void sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db.kysely).catch(() => {})
    signal?.addEventListener('abort', cancel)
    try {
      return await work(tx)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  })

/** Accounts whose balance is not the sum of their transfers. */
export const findDrift = (db: Queryable, scope: LedgerScope): Promise<AccountFault[]> =>
  faults(db, sql`ledger_balances_drift where ${inLedgerScope(scope)}`)

/** Environments that have paid out more refunds than were reserved. */
export const findOverdrawn = (db: Queryable, scope: LedgerScope): Promise<AccountFault[]> =>
  faults(
    db,
    sql`ledger_balances where ${inLedgerScope(scope)} and code = 'refunds.payable' and balance_minor > 0`,
  )

const MOST_FAULTS = 20

async function faults(db: Queryable, where: ReturnType<typeof sql>): Promise<AccountFault[]> {
  const { rows } = await sql<{ account_id: string; code: string; currency: Currency }>`
    select account_id, code, currency from ${where} order by 1, 2, 3 limit ${MOST_FAULTS}`.execute(db)
  return rows.map(({ account_id, ...account }) => ({
    accountId: idFrom(AccountId, account_id),
    ...account,
  }))
}
