import { AccountId, AuditId, PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'
import { runPrepared, type Tx } from '../db/database.ts'
import type { MerchantTable } from '../db/merchant-rows.ts'
import { type EntityOf, id, idOrNull, json, table, text, time } from '../db/table.ts'
import type { Actor } from './actor.ts'

/** Audited actions. A new kind of action is a new line here. */
export type Action =
  | 'application.created'
  | 'application.key_regenerated'
  | 'application.key_created'
  | 'application.key_changed'
  | 'application.key_revoked'
  | 'application.key_leaked'
  | 'application.key_shown'
  | 'application.status_changed'
  | 'application.banking_changed'
  | 'application.brand_changed'
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
  | 'merchant.exported'
  | 'merchant.erased'
  | 'merchant.route_changed'
  | 'account.opened'
  | 'account.deleted_unproven'
  | 'account.password_reset'
  | 'account.password_changed'
  | 'account.time_zone_changed'
  | 'account.locale_changed'
  | 'account.password_refused'
  | 'account.code_issued'
  | 'account.code_refused'
  | 'account.passkey_added'
  | 'account.passkey_renamed'
  | 'account.passkey_removed'
  | 'account.passkey_refused'
  | 'account.totp_enabled'
  | 'account.totp_removed'
  | 'account.totp_removed_by_operator'
  | 'account.recovery_codes_replaced'
  | 'account.recovery_code_used'
  | 'team.invited'
  | 'team.invitation_revoked'
  | 'team.joined'
  | 'team.member_changed'
  | 'team.member_removed'
  | 'team.member_left'
  | 'team.hand_over_started'
  | 'team.hand_over_ended'
  | 'team.owner_changed'
  | 'team.policy_changed'
  | 'session.opened'
  | 'session.confirmed'
  | 'session.signed_out'
  | 'session.refresh_reused'
  | 'session.ended_by_operator'
  | 'session.ended_by_owner'
  | 'session.signed_out_everywhere'
  | 'document.shown'
  | 'document.read'
  | 'payment.refund_opened'
  | 'payment.capture_requested'
  | 'payment.cancelled'
  | 'payment.created'
  | 'payments.exported'
  | 'payment.attempt_resolved'
  | 'payment.anomaly_resolved'
  | 'payment.reversal_reported'
  | 'payment.reversal_returned'
  | 'refund.bounced_by_operator'
  | 'refund.unclaimed_by_operator'
  | 'ledger.adjusted'
  | 'refund.paid_by_operator'
  | 'refund.failed_by_operator'
  | 'refund.settled_by_operator'
  | 'provider.account_set'
  | 'provider.account_rotated'
  | 'provider.account_disabled'
  | 'provider.account_enabled'
  | 'master_key.activated'
  | 'customer.exported'
  | 'customer.erased'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'webhook.secret_rotated'
  | 'webhook.failing'
  | 'webhook.recovered'
  | 'webhook.disabled'
  | 'operator.added'
  | 'operator.removed'
  | 'operator.role_changed'
  | 'jobs.retried'
  | 'webhook.resent_by_operator'
  | 'operator.enrolled'
  | 'operator.signed_in'
  | 'operator.sign_in_refused'
  | 'operator.signed_out'
  | 'operator.revealed'
  | 'operator.noted'
  | 'operator.audit_exported'
  | 'proposal.created'
  | 'proposal.approved'
  | 'proposal.signature_refused'
  | 'proposal.rejected'
  | 'proposal.withdrawn'
  | 'proposal.closed'
  | 'statement.source_set'
  | 'statement.imported'
  | 'statement.row_resolved'
  | 'statement.discarded'
  | 'incident.opened'
  | 'incident.updated'
  | 'incident.resolved'

export interface AuditEntry {
  readonly action: Action
  /** The id of the object of the action. */
  readonly subject: string
  /** The merchant of the object; null when it belongs to no merchant. */
  readonly accountId: AccountId | null
  /** The facts to understand the entry later, and never a secret: the log is never deleted and many people read it. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A line of the audit log. */
const auditLog = table('audit_log', {
  id: id('id', AuditId),
  at: time('at'),
  actorKind: text<Actor['kind']>('actor_kind'),
  actor: text('actor'),
  address: text<string | null>('address'),
  requestId: text<string | null>('request_id'),
  credential: text<string | null>('credential'),
  personId: idOrNull('person_id', PersonId),
  accountId: idOrNull('account_id', AccountId),
  action: text<Action>('action'),
  subject: text('subject'),
  details: json<object>('details'),
})

type AuditLine = EntityOf<typeof auditLog>

export const auditLine = (
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  { kind, name, address, requestId, credential, personId, marks }: Actor,
  { details = {}, ...entry }: AuditEntry,
): AuditLine => ({
  id: ctx.ids.next(AuditId),
  at: ctx.clock.now(),
  actorKind: kind,
  actor: name,
  address,
  requestId,
  credential: credential ?? null,
  personId: personId ?? null,
  ...entry,
  details: { ...details, ...marks },
})

/** The rows of new lines. */
export const auditRows = auditLog.recordSet()

/** Appends an entry in the action's own transaction: the log has the entry if and only if the action is committed. */
export async function audit(ctx: Ctx, tx: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  const line = auditLog.row(auditLine(ctx, actor, entry))
  const values = { ...line, details: JSON.stringify(line.details) }
  await runPrepared(tx, 'audit', tx.insertInto('audit_log').values(values))
}

/** Groups of actions of the company alone: what its operators looked at, and what they have not decided yet. */
const internalGroups = ['operator', 'proposal']

/** The entries that are meant for their merchant. */
export const isForMerchant = sql<boolean>`split_part(action, '.', 1) <> all (${internalGroups}::text[])`

export const auditTables: readonly MerchantTable[] = [
  {
    table: 'audit_log',
    owner: 'account_id',
    ownedBy: 'environment',
    primaryKey: ['id'],
    only: isForMerchant,
  },
]
