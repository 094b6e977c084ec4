import { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { AttemptStatus } from '../machine.ts'
import { isInTestEnvironment } from '../store-test-environments.ts'

/** An attempt that only an operator can resolve, with the data for an inquiry at its provider. */
export interface AttemptInReview {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly id: AttemptId
  readonly shopName: string
  /** Made with a test key: no money has moved, whatever its outcome. */
  readonly isTest: boolean
  readonly description: string
  readonly paymentStatus: PaymentStatus
  readonly provider: string
  readonly method: PaymentMethod
  /** Null for a provider that needs no phone number. */
  readonly msisdn: string | null
  readonly amount: Money
  /** The merchant's instruction about an authorisation: the amount to capture, or the void; null without one. */
  readonly instruction: Money | 'void' | null
  readonly status: AttemptStatus
  /** The reason why the attempt is held; null for one that is still open after a day. */
  readonly heldBecause: string | null
  /** The number of failures to record an outcome. */
  readonly outcomeFailures: number
  readonly providerStatus: string | null
  readonly providerReference: string | null
  readonly createdAt: Date
}

/** Held, or without an outcome in time: the predicate of the index payment_attempts_in_review. */
const inReview = sql<boolean>`(t.index_status = 'held' or (t.index_status = 'underway' and t.index_due_at is null))`

/** The oldest first. */
export async function findInReview(
  db: Queryable,
  { paymentId, limit }: { paymentId?: PaymentId; limit: number },
): Promise<AttemptInReview[]> {
  let select = db
    .selectFrom('payment_attempts as t')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.account_id', '=', 't.account_id').onRef('p.id', '=', 't.payment_id'),
    )
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.application_id'),
    )
    .leftJoin('capture_instructions as c', (join) =>
      join.onRef('c.account_id', '=', 't.account_id').onRef('c.attempt_id', '=', 't.id'),
    )
    .selectAll('t')
    .select([
      'c.kind as instruction_kind',
      'c.amount_minor as instructed_minor',
      'a.name as shop_name',
      'p.description',
      'p.status as payment_status',
      isInTestEnvironment('t.account_id').as('is_test'),
    ])
    .where(inReview)
  if (paymentId) select = select.where('t.payment_id', '=', uuidOf(paymentId))
  const rows = await select.orderBy('t.created_at').orderBy('t.id').limit(limit).execute()
  return rows.map((row) => ({
    accountId: idFrom(AccountId, row.account_id),
    paymentId: idFrom(PaymentId, row.payment_id),
    id: idFrom(AttemptId, row.id),
    shopName: row.shop_name,
    isTest: row.is_test,
    description: row.description,
    paymentStatus: row.payment_status as PaymentStatus,
    provider: row.provider,
    method: row.method as PaymentMethod,
    msisdn: row.msisdn,
    amount: money(row.amount_minor, row.currency as Currency),
    instruction: instructionOf(row),
    status: row.status as AttemptStatus,
    heldBecause: row.held_because,
    outcomeFailures: row.outcome_failures,
    providerStatus: row.provider_status,
    providerReference: row.provider_reference,
    createdAt: row.created_at,
  }))
}

const instructionOf = (row: {
  readonly instruction_kind: string | null
  readonly instructed_minor: bigint | null
  readonly currency: string
}): AttemptInReview['instruction'] => {
  if (row.instruction_kind === null) return null
  return row.instructed_minor === null ? 'void' : money(row.instructed_minor, row.currency as Currency)
}
