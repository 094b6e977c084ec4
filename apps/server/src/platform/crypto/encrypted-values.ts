import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'
import type { Queryable } from '../db/database.ts'
import { decrypt, type EncryptionKeys, encrypt } from './encryption.ts'
import type { ActiveKey, KeyRing } from './key-ring.ts'
import type { Keys } from './keys.ts'
import { MasterKeyError } from './root-secret.ts'

export interface CountedValues {
  readonly keyId: string
  readonly count: number
}

/** Where a slice ends; null: there is no further value. */
export type Position = readonly string[] | null

/** Stored values that are encrypted under a master key. The module that owns them counts them and encrypts them again. */
export interface EncryptedValues {
  /** For example `application keys`. */
  readonly name: string
  /** The number of values under each master key. */
  count(db: Queryable, active: ActiveKey): Promise<readonly CountedValues[]>
  /** Encrypts the next values after a position under the active master key, unless they are. Safe to run twice and in several processes. */
  reencrypt(ctx: Pick<Ctx, 'db' | 'keys' | 'files' | 'ids'>, after: Position): Promise<Position>
}

const SLICE = 100

/** The encrypted values of one column. */
export function encryptedColumn(column: {
  readonly name: string
  readonly table: string
  readonly column: string
  /** The columns of the primary key. */
  readonly primaryKey: readonly string[]
  /** Other columns that the context needs. */
  readonly also?: readonly string[]
  readonly keys: (keys: Keys) => EncryptionKeys
  /** The context in which a row's value was encrypted. */
  readonly context: (row: Readonly<Record<string, string>>) => string
}): EncryptedValues {
  const table = sql.table(column.table)
  const value = sql.ref(column.column)
  const primaryKey = sql.join(column.primaryKey.map((name) => sql.ref(name)))
  const fields = [...column.primaryKey, ...(column.also ?? [])]
  const selected = sql.join(fields.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`))

  return {
    name: column.name,
    async count(db, { firstId }) {
      const { rows } = await sql<CountedValues>`
        select coalesce(encryption_key_id(${value}), ${firstId}) as "keyId", count(*)::int as count
        from ${table} where ${value} is not null group by 1 order by 1`.execute(db)
      return rows
    },
    async reencrypt({ db, keys }, after) {
      const { activeId, firstId } = keys.ring
      const isAfter =
        after === null ? sql`true` : sql`(${primaryKey}) > (${sql.join(after.map((each) => sql`${each}`))})`
      const { rows } = await sql<Record<string, string> & { readonly encrypted: Buffer }>`
        select ${selected}, ${value} as encrypted from ${table}
        where coalesce(encryption_key_id(${value}), ${firstId}) <> ${activeId} and ${isAfter}
        order by ${primaryKey} limit ${SLICE}`.execute(db.kysely)
      for (const { encrypted, ...row } of rows) {
        const again = encryptAgain(column.keys(keys), encrypted, column.context(row), column.name)
        const isRow = sql.join(
          column.primaryKey.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        )
        // A value that has changed since was encrypted under the active key, or is gone.
        await sql`update ${table} set ${value} = ${again} where ${isRow} and ${value} = ${encrypted}`.execute(
          db.kysely,
        )
      }
      const last = rows.at(-1)
      return rows.length < SLICE || !last ? null : column.primaryKey.map((name) => last[name] ?? '')
    },
  }
}

function encryptAgain(keys: EncryptionKeys, encrypted: Buffer, context: string, name: string): Buffer {
  const plain = decrypt(keys, encrypted, context)
  if (plain === null)
    throw new Error(`one of the ${name} cannot be decrypted: its row was changed (${context})`)
  return encrypt(keys, plain, context)
}

/** Encrypts every value under the active master key that is not yet. */
export async function reencryptAll(
  ctx: Pick<Ctx, 'db' | 'keys' | 'files' | 'ids'>,
  all: readonly EncryptedValues[],
): Promise<void> {
  for (const values of all) {
    let after: Position = null
    do after = await values.reencrypt(ctx, after)
    while (after !== null)
  }
}

export interface KeyUse {
  readonly keyId: string
  readonly values: readonly { readonly name: string; readonly count: number }[]
}

/** The values under each master key, of the ring or not. */
export async function keyUses(
  db: Queryable,
  ring: KeyRing,
  all: readonly EncryptedValues[],
): Promise<readonly KeyUse[]> {
  const uses = new Map<string, { name: string; count: number }[]>()
  for (const { name, count } of all)
    for (const { keyId, count: of } of await count(db, ring))
      uses.set(keyId, [...(uses.get(keyId) ?? []), { name, count: of }])
  return [...uses].map(([keyId, values]) => ({ keyId, values }))
}

/** @throws MasterKeyError when something is encrypted under a master key that this process does not have */
export async function requireMasterKeys(
  db: Queryable,
  ring: KeyRing,
  all: readonly EncryptedValues[],
): Promise<void> {
  const unknown = (await keyUses(db, ring, all)).find(({ keyId }) => !ring.has(keyId))
  if (unknown === undefined) return
  throw new MasterKeyError(
    `${unknown.values.map(({ name, count }) => `${count} ${name}`).join(', ')} are encrypted with the master key ${unknown.keyId}, which is neither MURIPO_MASTER_KEY nor one of MURIPO_EARLIER_MASTER_KEYS`,
  )
}
