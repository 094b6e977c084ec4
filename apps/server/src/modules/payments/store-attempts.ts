import { AttemptId, MerchantId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import type { PaymentMethod, StatusReason } from '@muripo/contract/payments'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { PaymentAttempts as AttemptRow } from '../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { ProviderState } from '../providers/index.ts'
import type { AttemptStatus } from './machine.ts'
import type { Attempt } from './payment.ts'
import { changedColumns, type ProviderCallChange } from './store-provider-calls.ts'

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

export type AttemptChange = ProviderCallChange<AttemptStatus> & { readonly heldBecause?: string }

export async function updateAttempt(
  tx: Tx,
  attempt: Attempt,
  change: AttemptChange,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({
      ...changedColumns(change, at),
      ...(change.heldBecause !== undefined && { held_because: change.heldBecause }),
    })
    .where('merchant_id', '=', uuidOf(attempt.merchantId))
    .where('id', '=', uuidOf(attempt.id))
    .execute()
}
