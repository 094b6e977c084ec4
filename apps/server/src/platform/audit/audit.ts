import { AuditId, type MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../ctx.ts'
import { runPrepared, type Tx } from '../db/database.ts'
import { uuidOf } from '../ids.ts'
import type { Actor } from './actor.ts'

/** What is written down. A new kind of deed is a new line here. */
export type Action =
  | 'application.created'
  | 'application.key_regenerated'
  | 'application.key_shown'
  | 'application.status_changed'
  | 'application.banking_changed'
  | 'application.banking_approved'
  | 'application.banking_rejected'
  | 'application.stopped_by_operator'
  | 'application.resumed_by_operator'
  | 'application.key_revoked_by_operator'
  | 'application.names_approved'
  | 'merchant.approved'
  | 'merchant.suspended'
  | 'merchant.resumed'
  | 'merchant.closed'
  | 'account.opened'
  | 'account.deleted_unproven'
  | 'account.password_reset'
  | 'account.password_changed'
  | 'account.time_zone_changed'
  | 'account.password_refused'
  | 'account.code_issued'
  | 'account.code_refused'
  | 'account.passkey_added'
  | 'account.passkey_renamed'
  | 'account.passkey_removed'
  | 'account.passkey_refused'
  | 'session.opened'
  | 'session.signed_out'
  | 'session.refresh_reused'
  | 'session.ended_by_operator'
  | 'session.ended_by_owner'
  | 'session.signed_out_everywhere'
  | 'document.shown'
  | 'document.read'
  | 'payment.refund_opened'
  | 'payment.cancelled'
  | 'payments.exported'
  | 'payment.attempt_resolved'
  | 'payment.anomaly_resolved'
  | 'ledger.adjusted'
  | 'refund.paid_by_operator'
  | 'refund.failed_by_operator'
  | 'refund.settled_by_operator'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'webhook.secret_rotated'
  | 'webhook.failing'
  | 'webhook.recovered'
  | 'webhook.disabled'

export interface Deed {
  readonly action: Action
  /** The id of what it was done to. */
  readonly subject: string
  /** Whose that is; null when it is no merchant's. */
  readonly merchantId: MerchantId | null
  /** What one must know to understand it later, and never a secret: the log is kept for good and read by many. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Part of the deed's own transaction: what happened is in the log if and only if it happened. */
export async function audit(ctx: Ctx, tx: Tx, actor: Actor, deed: Deed): Promise<void> {
  const line = tx.insertInto('audit_log').values({
    id: uuidOf(ctx.ids.next(AuditId)),
    at: ctx.clock.now(),
    actor_kind: actor.kind,
    actor: actor.name,
    address: actor.address,
    request_id: actor.requestId,
    credential: actor.credential ?? null,
    merchant_id: deed.merchantId === null ? null : uuidOf(deed.merchantId),
    action: deed.action,
    subject: deed.subject,
    details: JSON.stringify(deed.details ?? {}),
  })
  await runPrepared(tx, 'audit', line)
}
