import type { PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'

/** A merchant signs in from fewer devices. Beyond this number, the least recently used device becomes unrecognised. */
const DEVICES_MAX = 20

export async function isDeviceOf(q: Queryable, personId: PersonId, hash: Buffer | null): Promise<boolean> {
  if (hash === null) return false
  const row = await q
    .selectFrom('devices')
    .where('person_id', '=', uuidOf(personId))
    .where('token_hash', '=', hash)
    .select('person_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasDevices(q: Queryable, personId: PersonId): Promise<boolean> {
  const row = await q
    .selectFrom('devices')
    .where('person_id', '=', uuidOf(personId))
    .select('person_id')
    .executeTakeFirst()
  return row !== undefined
}

/** True when the device is recognised by any account. */
export async function isKnownDevice(q: Queryable, hash: Buffer): Promise<boolean> {
  const row = await q
    .selectFrom('devices')
    .where('token_hash', '=', hash)
    .select('person_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function upsertDevice(tx: Tx, personId: PersonId, hash: Buffer, now: Date): Promise<void> {
  const person_id = uuidOf(personId)
  await tx
    .insertInto('devices')
    .values({ person_id, token_hash: hash, first_used_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'token_hash']).doUpdateSet({ last_used_at: now }),
    )
    .execute()
  await sql`
    delete from devices where person_id = ${person_id} and token_hash in (
      select token_hash from devices where person_id = ${person_id}
      order by last_used_at desc, first_used_at desc offset ${DEVICES_MAX}
    )`.execute(tx)
}

/** Deletes devices whose cookie has expired. */
export async function deleteStaleDevices(q: Queryable, before: Date): Promise<void> {
  await q.deleteFrom('devices').where('last_used_at', '<', before).execute()
}
