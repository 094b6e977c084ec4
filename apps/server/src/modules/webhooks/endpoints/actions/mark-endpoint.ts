import type { WebhookStatus } from '@muripo/contract/words'
import { systemActor } from '../../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EmailContent } from '../../../../platform/mail/email-content.ts'
import { findApplicationName } from '../../../applications/index.ts'
import { merchantProfile } from '../../../identity/index.ts'
import { endpointDisabledMail, endpointFailingMail, endpointUnprovenMail } from '../mails.ts'
import { countFailureBeforeProof, type Endpoint, moveEndpoint, proveEndpoint } from '../store-endpoints.ts'

interface Move {
  readonly from: readonly WebhookStatus[]
  readonly to: WebhookStatus
  readonly action: Action
  readonly mail?: typeof endpointFailingMail
}

/** What deliveries have shown of an endpoint. The same twice is one change, and one mail. */
const mark =
  (move: Move) =>
  (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
    ctx.db.tx((tx) => moveIn(ctx, tx, endpoint, move))

async function moveIn(ctx: Ctx, tx: Tx, endpoint: Endpoint, { from, to, action, mail }: Move): Promise<void> {
  const at = ctx.clock.now()
  if (!(await moveEndpoint(tx, endpoint, from, to, at))) return
  await audit(ctx, tx, systemActor('webhooks'), {
    action,
    subject: endpoint.id,
    accountId: endpoint.accountId,
    details: { applicationId: endpoint.applicationId, url: endpoint.url },
  })
  if (mail) await ctx.mailer.send(tx, await letter(tx, mail, endpoint, at))
}

async function letter(
  tx: Tx,
  mail: NonNullable<Move['mail']>,
  { accountId, applicationId }: Endpoint,
  at: Date,
): Promise<EmailContent> {
  const merchant = await merchantProfile(tx, accountId)
  const applicationName = await findApplicationName(tx, accountId, applicationId)
  return mail(merchant, { applicationName, at })
}

/** A delivery was given up. New events still go there. */
export const markFailing = mark({
  from: ['active'],
  to: 'failing',
  action: 'webhook.failing',
  mail: endpointFailingMail,
})

/** Its endpoint asked for no more. */
export const markDisabled = mark({
  from: ['active', 'failing'],
  to: 'disabled',
  action: 'webhook.disabled',
  mail: endpointDisabledMail,
})

/** Failed delivery attempts after which an endpoint that has never answered with a 2xx is turned off. */
const MOST_FAILURES_BEFORE_PROOF = 10

/** Counts a failed delivery attempt of an endpoint that has never answered with a 2xx, and turns it off after too many. */
export const countUnproven = (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
  ctx.db.tx(async (tx) => {
    if ((await countFailureBeforeProof(tx, endpoint)) < MOST_FAILURES_BEFORE_PROOF) return
    await moveIn(ctx, tx, endpoint, {
      from: ['active', 'failing'],
      to: 'disabled',
      action: 'webhook.disabled',
      mail: endpointUnprovenMail,
    })
  })

export const markProven = (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
  proveEndpoint(ctx.db.kysely, endpoint, ctx.clock.now())

export const markRecovered = mark({ from: ['failing'], to: 'active', action: 'webhook.recovered' })
