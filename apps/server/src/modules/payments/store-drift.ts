import type { AccountId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'

const MOST = 20

export async function findMisbooked(db: Queryable, accountId: AccountId): Promise<string[]> {
  const find = sql<{ payment_id: string }>`
    select payment_id from payment_ledger_drift where account_id = ${uuidOf(accountId)} order by payment_id limit ${MOST}`
  return (await runPrepared(db, 'find-misbooked', find)).map(({ payment_id }) => payment_id)
}
