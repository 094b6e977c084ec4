import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { KEYS_CHANGED } from '../key-cache.ts'
import { keyModeOf } from '../mode.ts'
import { revokeKeys, touchApplication } from '../store.ts'
import { issueKey } from './issue-key.ts'

/**
 * Replaces the key. The old one is refused from the commit on: what changes money checks the key inside its own transaction, and
 * the notification makes every process forget what it knew of the old key.
 * @throws AppError not_found when the merchant has no such application.
 */
export function regenerateKey(
  ctx: Ctx,
  merchantId: MerchantId,
  applicationId: ApplicationId,
): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const at = ctx.clock.now()
    if (!(await touchApplication(tx, merchantId, applicationId, at))) throw new AppError('not_found')
    await revokeKeys(tx, merchantId, applicationId, keyModeOf(ctx.config), at)
    const key = await issueKey(ctx, tx, merchantId, applicationId)
    await sql`select pg_notify(${KEYS_CHANGED}, ${applicationId})`.execute(tx)
    return key
  })
}
