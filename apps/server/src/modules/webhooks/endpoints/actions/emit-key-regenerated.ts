import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findApplicationName, type RegeneratedKey } from '../../../applications/index.ts'
import { merchantProfile } from '../../../identity/index.ts'
import { recordEvent } from '../../events/store-events.ts'
import { keyRegeneratedMail } from '../emails.ts'
import { allEndpoints } from '../store-endpoints.ts'

/** Emits the event and the email that lists the endpoints, in the commit that replaces an application's key. They contain neither key. */
export async function emitKeyRegenerated(
  ctx: Ctx,
  tx: Tx,
  { actor, owner, account, applicationId: id, mode, newKey }: RegeneratedKey,
): Promise<void> {
  const name = await findApplicationName(tx, account, id)
  await recordEvent(ctx, tx, account, {
    type: 'application.key_regenerated',
    applicationId: id,
    subject: newKey,
    sequence: 1,
    data: { object: 'application', id, name },
  })
  const endpoints = await allEndpoints(tx, { merchantId: owner, applicationId: id })
  await ctx.mailer.send(
    tx,
    keyRegeneratedMail(await merchantProfile(tx, owner), {
      applicationName: name,
      at: ctx.clock.now(),
      actor,
      contactEmail: ctx.config.contactEmail,
      mode,
      urls: endpoints.map(({ url }) => url),
    }),
  )
}
