import { AccountId, AdjustmentId, type MerchantId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import { sql } from 'kysely'
import { type Database, type Queryable, runPrepared, type Tx } from '../../platform/db/database.ts'
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
export interface AccountDiscrepancy {
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

/** The environments of a scope. Test payments are never added to the others, and the house is in no merchant's scope. */
const environmentsIn = ({ merchantId, tests }: LedgerScope) => sql`
  select id from environments where (kind = 'tests') = ${tests}
    and ${merchantId === null ? sql`true` : sql`environments.merchant_id = ${uuidOf(merchantId)}`}`

const PAGE = 1000

/** The environments of a scope, in the order of their ids. */
export async function* eachEnvironment(db: Queryable, scope: LedgerScope): AsyncGenerator<AccountId> {
  let last: string | undefined
  do {
    const { rows } = await sql<{ id: string }>`
      ${environmentsIn(scope)} and ${last === undefined ? sql`true` : sql`id > ${last}`} order by id limit ${PAGE}`.execute(
      db,
    )
    for (const { id } of rows) yield idFrom(AccountId, id)
    last = rows.length < PAGE ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
}

export async function sumAccounts(db: Queryable, scope: LedgerScope): Promise<AccountSum[]> {
  const { rows } = await sql<{ code: string; currency: Currency; debit: bigint; credit: bigint }>`
    select code, currency, sum(debit_minor)::bigint as debit, sum(credit_minor)::bigint as credit
    from ledger_balances where account_id in (${environmentsIn(scope)}) group by code, currency order by currency, code`.execute(
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
 * A statement over all rows of a merchant takes longer than a request may. Sessions look rows up by key, and a prepared statement is planned
 * for a merchant of the usual size: for all rows of a large merchant, loops over each would take quadratic time.
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
        set_config('enable_seqscan', 'on', true), set_config('enable_nestloop', 'off', true)`.execute(tx)
    const cancel = () =>
      void sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db.kysely).catch(() => {})
    signal?.addEventListener('abort', cancel)
    try {
      return await work(tx)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  })

/** The currencies in which the debits and credits of an environment are not equal. */
export async function findUnbalanced(db: Queryable, accountId: AccountId): Promise<Currency[]> {
  const find = sql<{ currency: Currency }>`
    select currency from ledger_balances where account_id = ${uuidOf(accountId)}
    group by currency having sum(balance_minor) <> 0 order by currency`
  return (await runPrepared(db, 'find-unbalanced', find)).map(({ currency }) => currency)
}

/** Accounts whose balance is not the sum of their transfers. */
export const findDrift = (db: Queryable, accountId: AccountId): Promise<AccountDiscrepancy[]> =>
  discrepancies(db, 'find-drift', sql`ledger_balances_drift where account_id = ${uuidOf(accountId)}`)

/** Whether the environment has paid out more to payers than was reserved or unclaimed, by currency. */
export const findOverdrawn = (db: Queryable, accountId: AccountId): Promise<AccountDiscrepancy[]> =>
  discrepancies(
    db,
    'find-overdrawn',
    sql`ledger_balances where account_id = ${uuidOf(accountId)} and code in ('refunds.payable', 'unclaimed.payable') and balance_minor > 0`,
  )

const DISCREPANCIES_MAX = 20

/** Adjustments without exactly one transfer of the same accounts and amount, and such transfers without an adjustment. */
export async function findAdjustmentsDrift(db: Queryable, accountId: AccountId): Promise<AdjustmentId[]> {
  const find = sql<{ id: string }>`
    select id from ledger_adjustments_drift where account_id = ${uuidOf(accountId)} order by id limit ${DISCREPANCIES_MAX}`
  return (await runPrepared(db, 'find-adjustments-drift', find)).map(({ id }) => idFrom(AdjustmentId, id))
}

async function discrepancies(
  db: Queryable,
  name: string,
  where: ReturnType<typeof sql>,
): Promise<AccountDiscrepancy[]> {
  const find = sql<{ account_id: string; code: string; currency: Currency }>`
    select account_id, code, currency from ${where} order by 1, 2, 3 limit ${DISCREPANCIES_MAX}`
  return (await runPrepared(db, name, find)).map(({ account_id, ...account }) => ({
    accountId: idFrom(AccountId, account_id),
    ...account,
  }))
}
