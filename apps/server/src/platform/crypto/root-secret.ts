import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../db/database.ts'
import { advisoryLocks, channels } from '../db/locks-and-channels.ts'
import { decrypt, encrypt } from './encryption.ts'
import { type ActiveKey, createKeyRing, type KeyRing, masterKeyId } from './key-ring.ts'
import { deriveKeys, type Keys } from './keys.ts'

/** A master key is missing, or is not the one that encrypts this database. */
export class MasterKeyError extends Error {}

const CONTEXT = 'root secret'
const SECRET_BYTES = 32

/** The root secret always has the id of its master key, which thereby is the active one. */
const rootKeys = (masterKeys: readonly Buffer[], activeId: string) =>
  createKeyRing(masterKeys, { activeId, firstId: null }).for('root-secret')

/**
 * The secrets of a database. The first start on a new one generates its root secret. In a database of the version before this one
 * everything is derived from the master key, which therefore becomes the root secret too.
 * @throws MasterKeyError
 */
export async function loadKeys(db: Queryable, masterKeys: readonly Buffer[]): Promise<Keys> {
  const [first] = masterKeys
  if (first === undefined) throw new MasterKeyError('there is no master key')
  const firstId = masterKeyId(first)
  const encryptNew = (secret: Buffer) => encrypt(rootKeys(masterKeys, firstId), secret, CONTEXT)
  await db
    .insertInto('root_secret')
    .values({ encrypted: encryptNew(randomBytes(SECRET_BYTES)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .updateTable('root_secret')
    .set({ encrypted: encryptNew(first), first_key_id: firstId })
    .where('encrypted', 'is', null)
    .execute()
  // A master key that is becoming active has locked the row.
  return keysIn(await rootRow(db).forShare().executeTakeFirstOrThrow(), masterKeys)
}

interface RootRow extends ActiveKey {
  readonly encrypted: Buffer
}

/** @throws MasterKeyError */
export function keysIn(row: RootRow, masterKeys: readonly Buffer[]): Keys {
  const ring = createKeyRing(masterKeys, row)
  if (!ring.has(row.activeId))
    throw new MasterKeyError(
      `the database is encrypted with the master key ${row.activeId}, which is neither MURIPO_MASTER_KEY nor one of MURIPO_EARLIER_MASTER_KEYS`,
    )
  return deriveKeys(ring, decryptRoot(masterKeys, row))
}

export const activeKey = (db: Queryable): Promise<ActiveKey> => rootRow(db).executeTakeFirstOrThrow()

const rootRow = (db: Queryable) =>
  db
    .selectFrom('root_secret')
    .select((eb) => [
      eb.fn.coalesce('encrypted', sql<Buffer>`''`).as('encrypted'),
      'first_key_id as firstId',
      sql<string>`encryption_key_id(encrypted)`.as('activeId'),
    ])

function decryptRoot(masterKeys: readonly Buffer[], { encrypted, activeId }: RootRow): Buffer {
  const secret = decrypt(rootKeys(masterKeys, activeId), encrypted, CONTEXT)
  if (secret === null)
    throw new MasterKeyError('the root secret cannot be decrypted: the row of root_secret was changed')
  return secret
}

/**
 * Makes a master key of the ring the active one: from now on everything is encrypted under it.
 * @returns false when it is active already
 * @throws MasterKeyError while a running process does not have it
 */
export async function activateMasterKey(tx: Tx, ring: KeyRing, id: string): Promise<boolean> {
  const row = await rootRow(tx).forUpdate().executeTakeFirstOrThrow()
  if (row.activeId === id) return false
  const without = await processesWithout(tx, id)
  if (without > 0)
    throw new MasterKeyError(
      `${without === 1 ? 'One running process does' : `${without} running processes do`} not have the master key ${id}: restart every process with the new environment first.`,
    )
  const secret = decryptRoot(ring.masterKeys, row)
  await tx
    .updateTable('root_secret')
    .set({ encrypted: encrypt(rootKeys(ring.masterKeys, id), secret, CONTEXT) })
    .execute()
  await sql`select pg_notify(${channels.masterKeyChanged}, '')`.execute(tx)
  return true
}

/** The number of running processes that do not have a master key. Each process holds a lock for each of its keys. */
export async function processesWithout(db: Queryable, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from pg_locks
      where locktype = 'advisory' and classid = ${advisoryLocks.masterKey} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
      group by pid having not bool_or(objid::bigint = hashtext(${id})::bigint & 4294967295)
    ) as without`.execute(db)
  return rows[0]?.count ?? 0
}
