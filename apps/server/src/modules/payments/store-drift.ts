import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { type Books, ofBooks } from '../ledger/index.ts'

const MOST = 20

export async function findMisbooked(db: Queryable, books: Books): Promise<string[]> {
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from payment_ledger_drift where ${ofBooks(books)} order by payment_id limit ${MOST}`.execute(
    db,
  )
  return rows.map(({ payment_id }) => payment_id)
}
