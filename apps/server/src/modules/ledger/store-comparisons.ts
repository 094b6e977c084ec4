import type { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../platform/db/database-time.ts'
import { uuidOf } from '../../platform/ids.ts'

/** balances: transfers against balances. payments: payments and refunds against transfers. */
export type Check = 'balances' | 'payments'

const EVERY_MS = 3_600_000
/** The longest time that the comparison of one environment may take. */
export const COMPARISON_MS = 900_000
/** A process that has claimed an environment has ended by then, or it has died. */
const CLAIM_MS = COMPARISON_MS + 60_000

/** Claims a comparison for this process. False while another process makes it, and within an hour of the last one. */
export async function claimComparison(db: Queryable, check: Check, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    insert into ledger_comparisons (account_id, check_name, claimed_at)
    values (${uuidOf(accountId)}, ${check}, ${databaseNow})
    on conflict (account_id, check_name) do update set claimed_at = excluded.claimed_at
    where ledger_comparisons.claimed_at <= ${databaseNowPlus(-CLAIM_MS)}
      and coalesce(ledger_comparisons.compared_at, '-infinity') <= ${databaseNowPlus(-EVERY_MS)}
    returning 1`.execute(db)
  return rows.length > 0
}

export async function recordComparison(
  db: Queryable,
  check: Check,
  accountId: AccountId,
  discrepancies: number,
): Promise<void> {
  await sql`
    update ledger_comparisons set compared_at = ${databaseNow}, discrepancies = ${discrepancies}
    where account_id = ${uuidOf(accountId)} and check_name = ${check}`.execute(db)
}

export interface ComparisonResult {
  readonly check: Check
  readonly environment: 'live' | 'test'
  readonly discrepancies: number
  /** The oldest of the last comparisons of all environments. */
  readonly comparedAt: Date
}

/** The last results, whichever process made the comparison. */
export async function comparisonResults(db: Queryable): Promise<ComparisonResult[]> {
  const { rows } = await sql<ComparisonResult>`
    select check_name as check, case kind when 'tests' then 'test' else 'live' end as environment,
      sum(discrepancies)::int as discrepancies, min(compared_at) as "comparedAt"
    from ledger_comparisons join environments on environments.id = account_id
    where compared_at is not null group by 1, 2`.execute(db)
  return rows
}
