import { AttemptId, MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import type { PaymentMethod, StatusReason } from '@muripo/contract/payments'
import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { PaymentAttempts as AttemptRow } from '../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { ProviderState } from '../providers/index.ts'
import type { AttemptStatus } from './machine.ts'
import type { Attempt } from './payment.ts'

function toAttempt(row: Selectable<AttemptRow>): Attempt {
  return {
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(AttemptId, row.id),
    paymentId: idFrom(PaymentId, row.payment_id),
    provider: row.provider,
    method: row.method as PaymentMethod,
    msisdn: row.msisdn,
    amount: money(row.amount_minor, row.currency as Currency),
    status: row.status as AttemptStatus,
    failureReason: row.failure_reason as StatusReason | null,
    providerReference: row.provider_reference,
    providerState: row.provider_state as ProviderState | null,
    checks: row.checks,
    notFoundChecks: row.not_found_checks,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function insertAttempt(tx: Tx, attempt: Attempt, nextCheckAt: Date): Promise<void> {
  await tx
    .insertInto('payment_attempts')
    .values({
      merchant_id: uuidOf(attempt.merchantId),
      id: uuidOf(attempt.id),
      payment_id: uuidOf(attempt.paymentId),
      provider: attempt.provider,
      method: attempt.method,
      msisdn: attempt.msisdn,
      amount_minor: attempt.amount.minor,
      currency: attempt.amount.currency,
      status: attempt.status,
      next_check_at: nextCheckAt,
      created_at: attempt.createdAt,
      updated_at: attempt.updatedAt,
    })
    .execute()
}

export async function findAttempt(
  db: Queryable,
  merchantId: MerchantId,
  id: AttemptId,
): Promise<Attempt | null> {
  const row = await db
    .selectFrom('payment_attempts')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? toAttempt(row) : null
}

/** The payment's attempts, the latest first. */
export async function attemptsOf(
  db: Queryable,
  merchantId: MerchantId,
  paymentId: PaymentId,
): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('payment_id', '=', uuidOf(paymentId))
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toAttempt)
}

export interface AttemptChange {
  readonly status?: AttemptStatus
  readonly failureReason?: StatusReason | null
  readonly providerStatus?: string
  readonly providerReference?: string | null
  readonly providerState?: ProviderState
  readonly notFoundChecks?: number
  readonly nextCheckAt?: Date | null
}

export async function updateAttempt(
  tx: Tx,
  attempt: Attempt,
  change: AttemptChange,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({
      updated_at: at,
      ...(change.status !== undefined && { status: change.status }),
      ...(change.failureReason !== undefined && { failure_reason: change.failureReason }),
      ...(change.providerStatus !== undefined && { provider_status: change.providerStatus }),
      ...(change.providerReference !== undefined && { provider_reference: change.providerReference }),
      ...(change.providerState !== undefined && { provider_state: JSON.stringify(change.providerState) }),
      ...(change.notFoundChecks !== undefined && { not_found_checks: change.notFoundChecks }),
      ...(change.nextCheckAt !== undefined && { next_check_at: change.nextCheckAt }),
    })
    .where('merchant_id', '=', uuidOf(attempt.merchantId))
    .where('id', '=', uuidOf(attempt.id))
    .execute()
}

/**
 * Takes attempts whose time to be looked up has come, each for one process: until `leaseUntil` nobody else takes them, and when the
 * process dies they come up again by themselves.
 */
export async function takeDueAttempts(
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<{ merchantId: MerchantId; id: AttemptId }[]> {
  const { rows } = await sql<{ merchant_id: string; id: string }>`
    update payment_attempts set next_check_at = ${leaseUntil}, checks = checks + 1
    where (merchant_id, id) in (
      select merchant_id, id from payment_attempts where next_check_at <= ${now}
      order by next_check_at limit ${limit} for update skip locked)
    returning merchant_id, id`.execute(db)
  return rows.map((row) => ({
    merchantId: idFrom(MerchantId, row.merchant_id),
    id: idFrom(AttemptId, row.id),
  }))
}
