import { type AccountId, type PaymentId, RefundId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { underwaySql } from '../payment/moves.ts'
import { type ProviderReport, reportOf } from '../payment/provider-report.ts'
import { type Anomaly, attemptIn, wholeOf } from '../payment/state.ts'
import { attempts, refunds } from '../payment/tables.ts'

/** Whether a row belongs to a test environment: no money has moved for it, and none may be sent. */
const isInTestEnvironment = (accountId: `${string}.account_id`) =>
  sql<boolean>`exists (select from environments where environments.id = ${sql.ref(accountId)} and environments.kind = 'tests')`

const shownAttempt = attempts.view([
  'accountId',
  'paymentId',
  'id',
  'provider',
  'method',
  'msisdn',
  'amount',
  'status',
  'heldBecause',
  'outcomeFailures',
  'providerStatus',
  'providerReference',
  'createdAt',
])

/** An attempt that only an operator can resolve, with the data for an inquiry at its provider. */
export interface AttemptInReview extends EntityOf<typeof shownAttempt> {
  readonly shopName: string
  /** Made with a test key: no money has moved, whatever its outcome. */
  readonly isTest: boolean
  readonly description: string
  readonly paymentStatus: PaymentStatus
  /** The merchant's instruction about an authorisation: the amount to capture, or the void; null without one. */
  readonly instruction: Money | 'void' | null
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
    ...shownAttempt.read(row),
    shopName: row.shop_name,
    isTest: row.is_test,
    description: row.description,
    paymentStatus: row.payment_status as PaymentStatus,
    instruction: instructionOf(row),
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

const shownRefund = refunds.view([
  'accountId',
  'id',
  'paymentId',
  'attemptId',
  'amount',
  'origin',
  'status',
  'reason',
  'failureReason',
  'providerStatus',
  'bouncedAt',
  'createdAt',
  'updatedAt',
])

/** A refund with the data that an operator needs to send it: recipient, provider and charge. */
export interface OperatorRefund extends EntityOf<typeof shownRefund> {
  readonly shopName: string
  /** Made with a test key: no money has moved, and none is to be sent. */
  readonly isTest: boolean
  readonly description: string
  readonly isWaiting: boolean
  /** The provider paid the refund after its failure, when its amount had been refunded otherwise. */
  readonly isPaidLate: boolean
  /** An operator gave up to reach the payer; the refund can still be paid. */
  readonly isUnclaimed: boolean
  /** The refund that replaces this one, whose amount came back; null for a refund that has not bounced. */
  readonly replacedBy: RefundId | null
  readonly provider: string
  readonly method: PaymentMethod
  /** Null for a provider that needs no phone number. */
  readonly msisdn: string | null
  /** The provider's references of the charge and of the refund. */
  readonly chargeReference: string | null
  readonly reference: string | null
  /** The provider's last report about the charge, when it is about more than the payment itself. */
  readonly chargeReport: ProviderReport | null
}

/**
 * Refunds that an operator must send, whose look-ups have ended, or that were paid after their failure: the predicate of the index
 * refunds_for_operator.
 */
export const waiting = sql<boolean>`(r.status = 'awaiting_operator' or (r.status in ${sql.raw(underwaySql)} and r.next_check_at is null)
  or (r.paid_late_at is not null and r.settled_at is null))`

export const operatorRefunds = (db: Queryable) =>
  db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.account_id', '=', 'r.account_id').onRef('p.id', '=', 'r.payment_id'),
    )
    .innerJoin('payment_attempts as t', (join) =>
      join.onRef('t.account_id', '=', 'r.account_id').onRef('t.id', '=', 'r.attempt_id'),
    )
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.application_id'),
    )
    .selectAll('r')
    .select([
      'a.name as shop_name',
      'p.description',
      't.provider',
      't.method',
      't.msisdn',
      't.provider_reference as charge_reference',
      't.last_report as charge_report',
      waiting.as('is_waiting'),
      sql<string | null>`(select next.id from refunds next
        where next.account_id = r.account_id and next.replaces_id = r.id)`.as('replaced_by'),
      isInTestEnvironment('r.account_id').as('is_test'),
    ])

type RefundRow = Awaited<ReturnType<ReturnType<typeof operatorRefunds>['execute']>>[number]

export const toOperatorRefund = (row: RefundRow): OperatorRefund => ({
  ...shownRefund.read(row),
  shopName: row.shop_name,
  isTest: row.is_test,
  description: row.description,
  isWaiting: row.is_waiting,
  isPaidLate: row.paid_late_at !== null,
  // After a bounce another refund owes the amount.
  isUnclaimed: row.unclaimed_at !== null && row.bounced_at === null,
  replacedBy: row.replaced_by === null ? null : idFrom(RefundId, row.replaced_by),
  provider: row.provider,
  method: row.method as PaymentMethod,
  msisdn: row.msisdn,
  chargeReference: row.charge_reference,
  reference: row.provider_reference,
  chargeReport: reportOf(row.charge_report),
})

/** The oldest first. */
export async function findWaitingRefunds(db: Queryable, limit: number): Promise<OperatorRefund[]> {
  const rows = await operatorRefunds(db).where(waiting).orderBy('r.created_at').limit(limit).execute()
  return rows.map(toOperatorRefund)
}

/** All refunds of a payment, those of second charges too, the latest first. */
export async function findRefundsOf(
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<OperatorRefund[]> {
  const rows = await operatorRefunds(db)
    .where('r.account_id', '=', uuidOf(accountId))
    .where('r.payment_id', '=', uuidOf(paymentId))
    .orderBy('r.id', 'desc')
    .execute()
  return rows.map(toOperatorRefund)
}

export async function findOperatorRefund(db: Queryable, id: RefundId): Promise<OperatorRefund | null> {
  const row = await operatorRefunds(db).where('r.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toOperatorRefund(row) : null
}

/** The facts about the charge of an anomaly that an operator needs for the decision. */
export interface ChargeContext {
  readonly provider: string
  readonly report: ProviderReport | null
  /** Refused refunds that the provider may still have paid: a returned amount is explained only if one of them was paid after all. */
  readonly refusedRefunds: readonly RefundId[]
}

export async function contextOf({ db }: Pick<Ctx, 'db'>, anomaly: Anomaly): Promise<ChargeContext> {
  const state = await wholeOf(db.kysely, anomaly)
  const { provider, lastReport } = attemptIn(state, anomaly.attemptId)
  const refused = state.refunds.filter(
    ({ attemptId, status, nextWatchAt }) =>
      attemptId === anomaly.attemptId && status === 'failed' && nextWatchAt !== null,
  )
  return { provider, report: lastReport, refusedRefunds: refused.map(({ id }) => id).toReversed() }
}
