import type { Id } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'

/** A request with an Idempotency-Key, as the columns of the row that it creates. */
export interface KeyedRequest {
  /** Of the application and its key. */
  readonly idempotency_checksum: string
  /** Of the body as it was sent, so that a later release that adds a field with a default recognises the same request. */
  readonly request_checksum: string
}

/** The columns of `KeyedRequest` in a batch statement. */
export const keyedColumns = {
  names: 'idempotency_checksum, request_checksum',
  definition: 'idempotency_checksum uuid, request_checksum uuid',
}

/** The tables whose rows store the key of the request that created them, with the column of the row's id. */
const idColumns = { payments: 'id', refunds: 'id', capture_instructions: 'payment_id' } as const
export type KeyedTable = keyof typeof idColumns

/** The tables whose rows store the first response too. The response to a create depends on the request and the payment's id alone. */
type AnsweredTable = Exclude<KeyedTable, 'payments'>

export const storesResponse = (name: KeyedTable): name is AnsweredTable => name !== 'payments'

type Owner = Pick<KeyOwner, 'accountId'>

/**
 * The row that a key has created. A key that has expired is taken from its row: it is free again.
 * @returns its id, and whether the request is the one that created it; null when the key is free
 */
export async function findByKey(
  db: Queryable,
  name: KeyedTable,
  { accountId }: Owner,
  keyed: KeyedRequest,
): Promise<{ readonly id: string; readonly matches: boolean } | null> {
  const table = sql.table(name)
  const id = sql.ref(idColumns[name])
  const found = sql`account_id = ${uuidOf(accountId)} and idempotency_checksum = ${keyed.idempotency_checksum}::uuid`
  const [row] = await runPrepared(
    db,
    `find-by-key-${name}`,
    sql<{ id: string; matches: boolean; is_expired: boolean }>`
      select ${id} as id, request_checksum = ${keyed.request_checksum}::uuid as matches, is_key_expired(created_at) as is_expired
      from ${table} where ${found}`,
  )
  if (!row?.is_expired) return row ?? null
  await sql`
    update ${table} set idempotency_checksum = null, request_checksum = null
    where ${found} and ${id} = ${row.id}`.execute(db)
  return null
}

const rowWith = (name: AnsweredTable, { accountId }: Owner, id: Id<string>) =>
  sql`account_id = ${uuidOf(accountId)} and ${sql.ref(idColumns[name])} = ${uuidOf(id)}`

/** The first response to the request that created a row; null while it is outstanding. */
export async function findResponse(
  db: Queryable,
  name: AnsweredTable,
  owner: Owner,
  id: Id<string>,
): Promise<{ readonly response: string | null; readonly ageMs: number } | null> {
  const { rows } = await sql<{ response: string | null; age_ms: number }>`
    select response, extract(epoch from muripo_now() - created_at)::float8 * 1000 as age_ms
    from ${sql.table(name)} where ${rowWith(name, owner, id)}`.execute(db)
  const [row] = rows
  return row ? { response: row.response, ageMs: row.age_ms } : null
}

/** The first response stays: false when there is one already. */
export async function saveResponse(
  db: Queryable,
  name: AnsweredTable,
  owner: Owner,
  id: Id<string>,
  response: string,
): Promise<boolean> {
  const saved = await runPrepared(
    db,
    `save-response-${name}`,
    sql`
      update ${sql.table(name)} set response = ${response} where ${rowWith(name, owner, id)} and response is null
      returning 1`,
  )
  return saved.length === 1
}
