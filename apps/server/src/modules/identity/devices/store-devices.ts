import type { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { TokenSubject } from '../sessions/tokens.ts'

/** A merchant signs in from fewer devices. Beyond this number, the least recently used device becomes unrecognised. */
const DEVICES_MAX = 20

export async function isDeviceOf(
  q: Queryable,
  merchantId: MerchantId,
  hash: Buffer | null,
): Promise<boolean> {
  if (hash === null) return false
  const row = await q
    .selectFrom('devices')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('token_hash', '=', hash)
    .select('merchant_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasDevices(q: Queryable, merchantId: MerchantId): Promise<boolean> {
  const row = await q
    .selectFrom('devices')
    .where('merchant_id', '=', uuidOf(merchantId))
    .select('merchant_id')
    .executeTakeFirst()
  return row !== undefined
}

/** True when the device is recognised by any account. */
export async function isKnownDevice(q: Queryable, hash: Buffer): Promise<boolean> {
  const row = await q
    .selectFrom('devices')
    .where('token_hash', '=', hash)
    .select('merchant_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function upsertDevice(tx: Tx, merchantId: MerchantId, hash: Buffer, now: Date): Promise<void> {
  const merchant_id = uuidOf(merchantId)
  await tx
    .insertInto('devices')
    .values({ merchant_id, token_hash: hash, first_used_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'token_hash']).doUpdateSet({ last_used_at: now }),
    )
    .execute()
  await sql`
    delete from devices where merchant_id = ${merchant_id} and token_hash in (
      select token_hash from devices where merchant_id = ${merchant_id}
      order by last_used_at desc, first_used_at desc offset ${DEVICES_MAX}
    )`.execute(tx)
}

/** Deletes devices whose cookie has expired. */
export async function deleteStaleDevices(q: Queryable, before: Date): Promise<void> {
  await q.deleteFrom('devices').where('last_used_at', '<', before).execute()
}

/** True at the first call for a device of the account, and for a session without a recognised device. */
export async function isFirstReveal(
  tx: Tx,
  { merchantId, sessionId }: TokenSubject,
  deviceHash: Buffer | null,
  at: Date,
): Promise<boolean> {
  const shown = { live_key_shown_at: at }
  const isRecognised = deviceHash !== null && (await isDeviceOf(tx, merchantId, deviceHash))
  const first = isRecognised
    ? tx
        .updateTable('devices')
        .set(shown)
        .where('merchant_id', '=', uuidOf(merchantId))
        .where('token_hash', '=', deviceHash)
        .where('live_key_shown_at', 'is', null)
    : tx
        .updateTable('sessions')
        .set(shown)
        .where('merchant_id', '=', uuidOf(merchantId))
        .where('id', '=', uuidOf(sessionId))
        .where('live_key_shown_at', 'is', null)
  const { numUpdatedRows } = await first.executeTakeFirst()
  return numUpdatedRows === 1n
}
