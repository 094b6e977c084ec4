import type { AccountId, ApplicationId, KeyId, MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError, invalidField } from '../../../platform/errors.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { shareLockStatus } from '../../identity/index.ts'
import { modesOf } from '../key.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { lockApplication, touchApplication } from '../store.ts'
import { revokeKeys } from '../store-keys.ts'
import { accountIdFor, issueKey, type KeyRequest } from './issue-key.ts'

const NO_LIVE_KEYS = 'This gateway is for tests: it has no live keys'
const NOT_APPROVED = 'Live keys exist once your account is approved'

export interface RegeneratedKey {
  readonly actor: Actor
  readonly owner: MerchantId
  readonly applicationId: ApplicationId
  readonly mode: KeyMode
  /** The account id of the key's environment. */
  readonly account: AccountId
  readonly newKey: KeyId
}

/** Runs in the transaction that replaces a key. */
export type OnKeyRegenerated = (tx: Tx, key: RegeneratedKey) => Promise<void>

/**
 * Replaces the key. From the commit on, no transaction with the old key commits, because each one confirms its key. The notification
 * removes the old key from the cache of every process.
 * @throws AppError validation_failed in a gateway for tests, which has no live keys; not_found when the merchant has no such application;
 * merchant_not_active for a live key before the merchant is approved.
 */
export function regenerateKey(
  ctx: Ctx,
  actor: Actor,
  request: Omit<KeyRequest, 'mode'> & { readonly mode?: KeyMode | undefined },
  onKeyRegenerated: OnKeyRegenerated,
): Promise<string> {
  const { merchantId, applicationId, mode = ctx.config.keyMode } = request
  if (mode === 'live' && ctx.config.keyMode === 'test') throw invalidField('mode', NO_LIVE_KEYS)
  return ctx.db.tx(async (tx) => {
    // The lock order is merchant, then application, as in a change of the status.
    const status = await shareLockStatus(tx, merchantId)
    if (!(await lockApplication(tx, merchantId, applicationId))) throw new AppError('not_found')
    if (!modesOf(ctx, status).includes(mode)) {
      throw new AppError('merchant_not_active', { detail: NOT_APPROVED })
    }
    const at = ctx.clock.now()
    await touchApplication(tx, merchantId, applicationId, at)
    const accountId = await accountIdFor(ctx, tx, merchantId, mode)
    // An endpoint that a concurrent call with the old key creates is either committed and mailed below, or refused.
    if (accountId !== merchantId) await lockApplication(tx, accountId, applicationId)
    await revokeKeys(tx, accountId, applicationId, mode, at)
    const { id, key } = await issueKey(ctx, tx, { merchantId, applicationId, mode })
    await notifyKeysChanged(tx, applicationId)
    await audit(ctx, tx, actor, {
      action: 'application.key_regenerated',
      subject: applicationId,
      accountId: merchantId,
      details: { mode },
    })
    await onKeyRegenerated(tx, {
      actor,
      owner: merchantId,
      applicationId,
      mode,
      account: accountId,
      newKey: id,
    })
    return key
  })
}
