import type { Application } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { findApplication, lockApplication, type StoredApplication } from '../store.ts'
import { toMasked } from '../wire.ts'

/**
 * One change at a time: `change` sees the application as it stays until the commit. Answers it as it is afterwards.
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
    // Read only once it is locked: the statement that waits for the lock may show a key of before.
    const before = (await lockApplication(tx, merchantId, id)) && (await find(tx))
    if (!before) throw new AppError('not_found')
    await change(tx, before)
    const after = await find(tx)
    invariant(after, 'an application that is locked stays')
    return toMasked(ctx, merchantId, after)
  })
}
