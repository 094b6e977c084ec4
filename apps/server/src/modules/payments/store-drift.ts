import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { inLedgerScope, type LedgerScope } from '../ledger/index.ts'

const MOST = 20

export async function findMisbooked(db: Queryable, scope: LedgerScope): Promise<string[]> {
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from payment_ledger_drift where ${inLedgerScope(scope)} order by payment_id limit ${MOST}`.execute(
    db,
  )
  return rows.map(({ payment_id }) => payment_id)
}
