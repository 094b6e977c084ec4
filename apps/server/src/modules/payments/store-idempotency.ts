import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { KeyedRequest } from './idempotency.ts'

/** The columns of a request with an Idempotency-Key in a batch statement. */
export const keyedColumns = {
  names: 'idempotency_checksum, request_checksum',
  definition: 'idempotency_checksum uuid, request_checksum uuid',
}

/**
 * The row that a key has created. A key that has expired is taken from its row: it is free again.
 * @returns its id, and whether the request is the one that created it; null when the key is free
 */
export async function findByKey(
  db: Queryable,
  name: 'payments' | 'refunds' | 'capture_instructions',
  { accountId }: KeyOwner,
  keyed: KeyedRequest,
): Promise<{ readonly id: string; readonly matches: boolean } | null> {
  const table = sql.table(name)
  const id = sql.ref(name === 'capture_instructions' ? 'payment_id' : 'id')
  const found = sql`account_id = ${uuidOf(accountId)} and idempotency_checksum = ${keyed.idempotency_checksum}::uuid`
  const { rows } = await sql<{ id: string; matches: boolean; is_expired: boolean }>`
    select ${id} as id, request_checksum = ${keyed.request_checksum}::uuid as matches, is_key_expired(created_at) as is_expired
    from ${table} where ${found}`.execute(db)
  const [row] = rows
  if (!row?.is_expired) return row ?? null
  await sql`
    update ${table} set idempotency_checksum = null, request_checksum = null
    where ${found} and ${id} = ${row.id}`.execute(db)
  return null
}
