import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findApplicationName } from '../../../applications/index.ts'
import { merchantProfile } from '../../../identity/index.ts'
import { endpointChangedMail } from '../emails.ts'
import type { Endpoint } from '../store-endpoints.ts'

/** Mails each change of an endpoint to the owner: an attacker who wants to read a merchant's events adds or changes an endpoint. */
export async function mailChange(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  what: Parameters<typeof endpointChangedMail>[1],
  { accountId, applicationId, url }: Endpoint,
  before?: string,
): Promise<void> {
  const merchant = await merchantProfile(tx, accountId)
  const applicationName = await findApplicationName(tx, accountId, applicationId)
  const { contactEmail } = ctx.config
  await ctx.mailer.send(
    tx,
    endpointChangedMail(
      merchant,
      what,
      { url, ...(before === undefined || before === url ? {} : { before }) },
      { applicationName, at: ctx.clock.now(), actor, contactEmail },
    ),
  )
}
