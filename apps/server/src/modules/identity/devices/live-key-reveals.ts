import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { TokenSubject } from '../sessions/tokens.ts'
import { isDeviceOf } from './store-devices.ts'
import type { Visitor } from './visitor.ts'

/** True once for each device of the account, and once for each session without a recognised device. */
export async function isFirstReveal(
  tx: Tx,
  { merchantId, sessionId }: TokenSubject,
  { device }: Pick<Visitor, 'device'>,
  at: Date,
): Promise<boolean> {
  const merchant_id = uuidOf(merchantId)
  if (device !== null && (await isDeviceOf(tx, merchantId, device.hash))) {
    const { numUpdatedRows } = await tx
      .updateTable('devices')
      .set({ live_key_shown_at: at })
      .where('merchant_id', '=', merchant_id)
      .where('token_hash', '=', device.hash)
      .where('live_key_shown_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ live_key_shown_at: at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', uuidOf(sessionId))
    .where('live_key_shown_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
