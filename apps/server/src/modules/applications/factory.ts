import type { Application } from '@muripo/contract/applications'
import { KeyId, type MerchantId, PersonId } from '@muripo/contract/ids'
import { type KeyPermission, keyPermissions } from '@muripo/contract/permissions'
import { systemActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { createApplication } from './actions/create-application.ts'
import type { KeyOwner } from './store-keys.ts'
import { insertNamedKey } from './store-named-keys.ts'

export const makeApplication = (ctx: Ctx, merchantId: MerchantId, name = 'Shop'): Promise<Application> =>
  createApplication(ctx, systemActor('factory'), merchantId, {
    applicationName: name,
    description: 'Sells things',
    category: 'Retail',
  })

/** A named key of the application with all permissions. */
export async function makeNamedKey(
  ctx: Ctx,
  { accountId, applicationId, mode }: KeyOwner,
  permissions: readonly KeyPermission[] = keyPermissions,
): Promise<KeyId> {
  const id = ctx.ids.next(KeyId)
  await ctx.db.tx(async (tx) =>
    insertNamedKey(tx, {
      accountId,
      applicationId,
      id,
      mode,
      lookup: ctx.ids.bytes(32),
      name: 'Shop',
      permissions,
      expiresAt: null,
      allowedAddresses: null,
      createdBy: ctx.ids.next(PersonId),
      createdAt: ctx.clock.now(),
    }),
  )
  return id
}
