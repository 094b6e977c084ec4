import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isDeviceOf } from '../devices/store-devices.ts'
import type { SessionSubject } from './store-sessions.ts'

/** True at the first call for a device of the account, and for a session without a recognised device. */
export async function isFirstReveal(
  tx: Tx,
  { merchantId, personId, sessionId }: SessionSubject,
  deviceHash: Buffer | null,
  at: Date,
): Promise<boolean> {
  const shown = { live_key_shown_at: at }
  const isRecognised = deviceHash !== null && (await isDeviceOf(tx, personId, deviceHash))
  const first = isRecognised
    ? tx
        .updateTable('devices')
        .set(shown)
        .where('person_id', '=', uuidOf(personId))
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
