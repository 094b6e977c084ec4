import type { Application } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { findApplication, lockApplication, type StoredApplication } from '../store.ts'
import { toMasked } from '../wire.ts'

/**
 * Changes a locked application, one change at a time.
 * @returns the application after the change
 * @throws AppError not_found when the merchant has no such application.
 */
export function changeApplication(
  ctx: Ctx,
  merchantId: MerchantId,
  id: ApplicationId,
  change: (tx: Tx, before: StoredApplication) => Promise<void>,
): Promise<Application> {
  const find = (tx: Tx) => findApplication(tx, merchantId, ctx.config.keyMode, id)
  return ctx.db.tx(async (tx) => {
    // The read follows the lock: a statement that waits for the lock may return a replaced key.
    const before = (await lockApplication(tx, merchantId, id)) && (await find(tx))
    if (!before) throw new AppError('not_found')
    await change(tx, before)
    const after = await find(tx)
    invariant(after, 'a locked application is not deleted')
    return toMasked(ctx, merchantId, after)
  })
}
