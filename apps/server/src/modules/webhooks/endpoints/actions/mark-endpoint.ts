import type { WebhookStatus } from '@muripo/contract/webhook-enums'
import { systemActor } from '../../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findApplicationName } from '../../../applications/index.ts'
import { merchantProfile } from '../../../identity/index.ts'
import { type EndpointTrouble, endpointTroubleMail } from '../emails.ts'
import { countFailureBeforeProof, type Endpoint, moveEndpoint, proveEndpoint } from '../store-endpoints.ts'

interface Move {
  readonly from: readonly WebhookStatus[]
  readonly to: WebhookStatus
  readonly action: Action
  /** The reason to write to the merchant. */
  readonly trouble?: EndpointTrouble
}

/** Changes the status of an endpoint by the results of its deliveries. A repetition changes nothing, and sends no second mail. */
const mark =
  (move: Move) =>
  (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
    ctx.db.tx((tx) => moveIn(ctx, tx, endpoint, move))

async function moveIn(
  ctx: Ctx,
  tx: Tx,
  endpoint: Endpoint,
  { from, to, action, trouble }: Move,
): Promise<void> {
  const at = ctx.clock.now()
  if (!(await moveEndpoint(tx, endpoint, from, to, at))) return
  await audit(ctx, tx, systemActor('webhooks'), {
    action,
    subject: endpoint.id,
    accountId: endpoint.accountId,
    details: { applicationId: endpoint.applicationId, url: endpoint.url },
  })
  if (trouble === undefined) return
  const merchant = await merchantProfile(tx, endpoint.accountId)
  const applicationName = await findApplicationName(tx, endpoint.accountId, endpoint.applicationId)
  await ctx.mailer.send(tx, endpointTroubleMail(merchant, trouble, { applicationName, at }))
}

/** A delivery was exhausted. New events are still sent. */
export const markFailing = mark({
  from: ['active'],
  to: 'failing',
  action: 'webhook.failing',
  trouble: 'failing',
})

/** The endpoint refused all further events. */
export const markDisabled = mark({
  from: ['active', 'failing'],
  to: 'disabled',
  action: 'webhook.disabled',
  trouble: 'gone',
})

/** Failed delivery attempts after which an endpoint that has never answered with a 2xx is disabled. */
const MOST_FAILURES_BEFORE_PROOF = 10

/** Counts a failed delivery attempt of an endpoint that has never answered with a 2xx, and disables it after too many. */
export const countUnproven = (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
  ctx.db.tx(async (tx) => {
    if ((await countFailureBeforeProof(tx, endpoint)) < MOST_FAILURES_BEFORE_PROOF) return
    await moveIn(ctx, tx, endpoint, {
      from: ['active', 'failing'],
      to: 'disabled',
      action: 'webhook.disabled',
      trouble: 'unproven',
    })
  })

export const markProven = (ctx: Ctx, endpoint: Endpoint): Promise<void> =>
  proveEndpoint(ctx.db.kysely, endpoint, ctx.clock.now())

export const markRecovered = mark({ from: ['failing'], to: 'active', action: 'webhook.recovered' })
