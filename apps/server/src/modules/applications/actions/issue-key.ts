import { type ApplicationId, KeyId, type MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { bookOf } from '../book.ts'
import { type KeyMode, newKey } from '../key.ts'
import { lookupOf, sealKey } from '../sealed-key.ts'
import { mirrorApplication } from '../store.ts'
import { insertKey } from '../store-keys.ts'

/** Gives an application a new key, which speaks for the book of its mode. Only the caller ever sees it in plain. */
export async function issueKey(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  mode: KeyMode = ctx.config.keyMode,
): Promise<{ id: KeyId; key: string }> {
  const book = await bookOf(ctx, tx, merchantId, mode)
  if (book !== merchantId) await mirrorApplication(tx, merchantId, applicationId, book)
  const id = ctx.ids.next(KeyId)
  const key = newKey(ctx.ids, mode)
  await insertKey(tx, book, applicationId, {
    id: uuidOf(id),
    mode,
    lookup: lookupOf(ctx.keys, key),
    sealed: sealKey(ctx.keys, book, applicationId, key),
    createdAt: ctx.clock.now(),
  })
  return { id, key }
}
