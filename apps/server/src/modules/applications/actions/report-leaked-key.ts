import { visitorActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { PerDatabase } from '../../../platform/db/databases.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { adminsOf, merchantProfile } from '../../identity/index.ts'
import { accountHashIn, isWellFormed, lookupOf } from '../key.ts'
import { notifyKeysChanged } from '../key-cache.ts'
import { keyLeakedMail } from '../merchant-emails.ts'
import { findKeyOwner } from '../store-keys.ts'
import { revokeKeyById } from '../store-named-keys.ts'

/** Revokes a key that somebody found in public, and mails the owner and the admins. An unknown key changes nothing. */
export async function reportLeakedKey(
  ctxs: PerDatabase<Ctx>,
  key: string,
  from: { address: string; requestId: string },
): Promise<void> {
  if (!isWellFormed(key)) return
  const ctx = ctxs.ofHash(accountHashIn(key))
  const owner = await findKeyOwner(ctx.db.kysely, lookupOf(ctx.keys, key), ctx.config.keyMode)
  if (owner === null) return
  const { accountId, merchantId, applicationId, applicationName, keyId, mode } = owner
  await ctx.db.tx(async (tx) => {
    const isRevoked = await revokeKeyById(
      tx,
      { accountId: uuidOf(accountId), applicationId, keyId },
      ctx.clock.now(),
    )
    if (!isRevoked) return
    await notifyKeysChanged(tx, applicationId)
    await audit(ctx, tx, visitorActor(from), {
      action: 'application.key_leaked',
      subject: applicationId,
      accountId: merchantId,
      details: { keyId, mode, accountId },
    })
    const owner = await merchantProfile(tx, merchantId)
    for (const to of [owner, ...(await adminsOf(tx, merchantId, applicationId))])
      await ctx.mailer.send(tx, keyLeakedMail(to, applicationName, mode))
  })
}
