import { type AccountId, type ApplicationId, KeyId, type MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { testAccountIdOf } from '../../identity/index.ts'
import { encryptKey, lookupOf, newKey } from '../key.ts'
import { mirrorApplication } from '../store.ts'
import { insertKey } from '../store-keys.ts'

export interface KeyRequest {
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
  readonly mode: KeyMode
}

/** Issues a key for the environment of its mode. Only the caller sees it in plain text. */
export async function issueKey(
  ctx: Ctx,
  tx: Tx,
  { merchantId, applicationId, mode }: KeyRequest,
): Promise<{ id: KeyId; key: string }> {
  const accountId = await accountIdFor(ctx, tx, merchantId, mode)
  if (accountId !== merchantId) await mirrorApplication(tx, merchantId, applicationId, accountId)
  const id = ctx.ids.next(KeyId)
  const key = newKey(ctx.ids, mode, accountId)
  await insertKey(tx, accountId, applicationId, {
    id: uuidOf(id),
    mode,
    lookup: lookupOf(ctx.keys, key),
    encrypted: encryptKey(ctx.keys, accountId, applicationId, key),
    createdAt: ctx.clock.now(),
  })
  return { id, key }
}

/** The account id under which keys of this mode work. A gateway for tests has one environment. */
export const accountIdFor = (
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  mode: KeyMode,
): Promise<AccountId> | AccountId =>
  mode === ctx.config.keyMode ? merchantId : testAccountIdOf(ctx, tx, merchantId)
