import type { Application, createApplication as route } from '@muripo/contract/applications'
import { ApplicationId, type MerchantId } from '@muripo/contract/ids'
import type { Body } from '@muripo/contract/route'
import type { Ctx } from '../../../platform/ctx.ts'
import { violatedConstraint } from '../../../platform/db/database.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { holdStatus } from '../../identity/index.ts'
import { modesOf } from '../key.ts'
import { findApplication, insertApplication } from '../store.ts'
import { toWire } from '../wire.ts'
import { issueKey } from './issue-key.ts'

/** @throws AppError application_limit_reached */
export async function createApplication(
  ctx: Ctx,
  merchantId: MerchantId,
  input: Body<typeof route>,
): Promise<Application> {
  const created = ctx.db.tx(async (tx) => {
    const id = ctx.ids.next(ApplicationId)
    await insertApplication(tx, merchantId, {
      id,
      name: input.applicationName,
      description: input.description,
      category: input.category,
      createdAt: ctx.clock.now(),
    })
    // Held until the commit: an approval at the same moment either comes first, or finds this application and gives it its live key.
    const status = await holdStatus(tx, merchantId)
    for (const mode of modesOf(ctx, status)) await issueKey(ctx, tx, merchantId, id, mode)
    const created = await findApplication(tx, merchantId, ctx.config.keyMode, id)
    invariant(created, 'an application that was just created is there')
    return toWire(ctx, merchantId, created)
  })
  return created.catch((error: unknown) => {
    throw violatedConstraint(error) === 'applications_limit'
      ? new AppError('application_limit_reached')
      : error
  })
}
