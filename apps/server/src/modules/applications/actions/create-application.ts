import type { Application, createApplication as route } from '@muripo/contract/applications'
import { ApplicationId, type MerchantId } from '@muripo/contract/ids'
import type { Body } from '@muripo/contract/route'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failures.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { shareLockStatus } from '../../identity/index.ts'
import { modesOf } from '../key.ts'
import { findApplication, insertApplication } from '../store.ts'
import { toWire } from '../wire.ts'
import { issueKey } from './issue-key.ts'

/**
 * @param mayMakeLive false for a role that makes no live keys here: the application has the key of tests only
 * @throws AppError application_limit_reached
 */
export async function createApplication(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  input: Body<typeof route>,
  mayMakeLive = true,
  onLiveKey: (tx: Tx) => Promise<void> = async () => undefined,
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
    // The lock lasts until the commit: a concurrent approval has committed before, or waits and then issues the live key.
    const status = await shareLockStatus(tx, merchantId)
    const modes = modesOf(ctx, status).filter((mode) => mayMakeLive || mode !== 'live')
    for (const mode of modes) await issueKey(ctx, tx, { merchantId, applicationId: id, mode })
    await audit(ctx, tx, actor, {
      action: 'application.created',
      subject: id,
      accountId: merchantId,
      details: { name: input.applicationName, keys: modes },
    })
    if (modes.includes('live')) await onLiveKey(tx)
    const created = await findApplication(tx, merchantId, ctx.config.keyMode, id)
    invariant(created, 'an application that was just created exists')
    return toWire(ctx, merchantId, created)
  })
  return created.catch((error: unknown) => {
    throw violatedConstraint(error) === 'applications_limit'
      ? new AppError('application_limit_reached')
      : error
  })
}
