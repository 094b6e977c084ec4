import type { ApplicationId, KeyId, MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { findApplicationName } from '../../applications/index.ts'
import { recordEvent } from './record-event.ts'

/** Part of the commit that replaces an application's key. Neither key is in it. */
export async function tellKeyRegenerated(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  id: ApplicationId,
  newKey: KeyId,
): Promise<void> {
  await recordEvent(ctx, tx, merchantId, {
    type: 'application.key_regenerated',
    applicationId: id,
    subject: newKey,
    sequence: 1,
    data: { object: 'application', id, name: await findApplicationName(tx, merchantId, id) },
  })
}
