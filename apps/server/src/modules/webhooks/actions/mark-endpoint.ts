import type { WebhookStatus } from '@muripo/contract/words'
import { systemActor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { findApplicationName } from '../../applications/index.ts'
import { merchantProfile } from '../../identity/index.ts'
import { endpointDisabledMail, endpointFailingMail } from '../mails.ts'
import { type Endpoint, moveEndpoint } from '../store-endpoints.ts'

interface Move {
  readonly from: readonly WebhookStatus[]
  readonly to: WebhookStatus
  readonly action: Action
  readonly mail?: typeof endpointFailingMail
}

/** What deliveries have shown of an endpoint. The same twice is one change, and one mail. */
const mark =
  ({ from, to, action, mail }: Move) =>
  (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
    ctx.db.tx(async (tx) => {
      const at = ctx.clock.now()
      if (!(await moveEndpoint(tx, endpoint, from, to, at))) return
      await audit(ctx, tx, systemActor('webhooks'), {
        action,
        subject: endpoint.id,
        merchantId: endpoint.merchantId,
        details: { applicationId: endpoint.applicationId, url: endpoint.url },
      })
      if (mail) await ctx.mailer.send(tx, await letter(tx, mail, endpoint, at))
    })

async function letter(
  tx: Tx,
  mail: NonNullable<Move['mail']>,
  { merchantId, applicationId }: Endpoint,
  at: Date,
): Promise<Letter> {
  const merchant = await merchantProfile(tx, merchantId)
  const applicationName = await findApplicationName(tx, merchantId, applicationId)
  return mail(merchant, { applicationName, at })
}

/** A delivery was given up. New events still go there. */
export const markFailing = mark({
  from: ['active'],
  to: 'failing',
  action: 'webhook.failing',
  mail: endpointFailingMail,
})

/** Its receiver asked for no more. */
export const markDisabled = mark({
  from: ['active', 'failing'],
  to: 'disabled',
  action: 'webhook.disabled',
  mail: endpointDisabledMail,
})

export const markRecovered = mark({ from: ['failing'], to: 'active', action: 'webhook.recovered' })
