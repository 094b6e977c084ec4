import { type ApplicationId, KeyId, type MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { newKey } from '../key.ts'
import { keyModeOf } from '../mode.ts'
import { lookupOf, sealKey } from '../sealed-key.ts'
import { insertKey } from '../store.ts'

/** Gives an application a new key. Only the caller ever sees it in plain. */
export async function issueKey(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  applicationId: ApplicationId,
): Promise<{ id: KeyId; key: string }> {
  const mode = keyModeOf(ctx.config)
  const id = ctx.ids.next(KeyId)
  const key = newKey(ctx.ids, mode)
  await insertKey(tx, merchantId, applicationId, {
    id: uuidOf(id),
    mode,
    lookup: lookupOf(ctx.keys, key),
    sealed: sealKey(ctx.keys, merchantId, applicationId, key),
    createdAt: ctx.clock.now(),
  })
  return { id, key }
}
